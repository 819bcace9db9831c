package import CloudKitWire
import NephosDomain
import NephosQueries
package import NephosStorage

/// The subscriptions of one database as far as they were read, ready to be matched with changes. It holds for one version of
/// the catalog (docs/decisions/0006).
///
/// It may know subscriptions that were deleted or saved anew since. Whoever tells of a change reads those it concerns once
/// more (``TellEvents``), and ``remove(_:)``s what is gone.
package struct SubscriptionIndex: Sendable {
    /// What is remembered of one, by its sequence. The rest is read when it fires.
    private struct Watch: Sendable {
        var user: UserID
        var kind: SubscriptionRow.Kind
        /// nil for all zones.
        var zone: Name?
        var firesOn: FiresOn
    }

    /// One that a change fires.
    package struct Match: Sendable, Equatable {
        package var sequence: Sequence
        package var user: UserID
    }

    package let catalog: Catalog
    package let database: DatabaseNumber
    private let owner: UserID?
    /// Everything saved up to here is known.
    package private(set) var last: Sequence = 0
    /// Where subscribers' devices stand, of those of whom somebody asked.
    package private(set) var homes: [UserID: DatabaseNumber] = [:]
    private var watches: [Sequence: Watch] = [:]
    private var queries = StandingQueries()
    private var everywhere: Set<Sequence> = []
    private var inZones: [Name: Set<Sequence>] = [:]

    /// - Parameter head: Of the database.
    package init(_ head: HeadRow, _ catalog: Catalog) {
        database = head.database
        owner = head.owner
        self.catalog = catalog
    }

    package var count: Int { watches.count }

    /// Remembers where users are at home, which never changes.
    package mutating func add(homesOf users: [UserRow]) { for user in users { homes[user.id] = user.home } }

    /// Forgets where users are at home, where most of them subscribe to nothing any more. Between two events.
    package mutating func forgetHomes() { if homes.count > 2 * watches.count + 1_000 { homes = [:] } }

    /// Adds subscriptions that were saved behind all that are known, in order.
    package mutating func add(_ rows: [SubscriptionRow]) {
        for row in rows {
            last = max(last, row.sequence)
            // What cannot be read tells nobody; `nephos check` finds it.
            guard let subscription = try? SubscriptionDictionary(stored: row.dictionary) else { continue }
            add(row, subscription)
        }
    }

    private mutating func add(_ row: SubscriptionRow, _ subscription: SubscriptionDictionary) {
        let zone = subscription.zoneID?.zoneName.owned
        let watch = Watch(user: row.user, kind: row.kind, zone: zone, firesOn: subscription.firesOn)
        switch row.kind {
        case .database: everywhere.insert(row.sequence)
        case .zone:
            guard let zone else { return }
            inZones[zone, default: []].insert(row.sequence)
        case .query:
            // The schema may have changed so that the query is refused now. It fires again once it would be answered again.
            guard let query = subscription.query, let type = catalog.types[query.recordType],
                let conditions = try? context(for: row.user).conditions(query.filters, of: type, in: zone)
            else { return }
            queries.insert(Int(row.sequence), type: type.row.number, conditions: conditions)
        }
        watches[row.sequence] = watch
    }

    /// The rights and names of somebody who subscribed here.
    func context(for user: UserID, at now: Milliseconds = 0) -> RequestContext {
        RequestContext(
            catalog: catalog, caller: .serverKey(user), scope: owner == nil ? .public : .private, now: now)
    }

    package mutating func remove(_ sequence: Sequence) {
        guard let watch = watches.removeValue(forKey: sequence) else { return }
        switch watch.kind {
        case .query: queries.remove(Int(sequence))
        case .database: everywhere.remove(sequence)
        case .zone:
            guard let zone = watch.zone else { return }
            inZones[zone]?.remove(sequence)
            if inZones[zone]?.isEmpty == true { inZones[zone] = nil }
        }
    }

    /// Whom a change fires.
    package struct Matches: Sendable, Equatable {
        /// In the order in which they subscribed.
        package var list: [Match] = []
        /// Where the work was enough: subscriptions behind this one were not looked at.
        package var lookedTo: Sequence?
        /// What it took.
        package var comparisons = 0
    }

    /// Who subscribed to a change before it was made, and was not told yet.
    ///
    /// - Parameters:
    ///   - zone: Where it was made.
    ///   - after: Only who subscribed behind it, for what was left the last time.
    ///   - comparisonsMax: After so many comparisons with queries the rest is left for later.
    package mutating func matches(
        _ change: WatchedChange, in zone: Name, after: Sequence = 0, comparisonsMax: Int = .max
    ) -> Matches {
        let event = change.event
        let after = max(after, event.toldTo)
        var matches = Matches()
        var found: Set<Sequence> = []
        // The default zone has no feed, so that its changes could not be fetched.
        if zone != defaultZoneName {
            found.formUnion(everywhere)
            found.formUnion(inZones[zone] ?? [])
        }
        if let record = change.record, let firesOn = FiresOn(event.kind) {
            let met = queries.matches(record, after: Int(after), comparisonsMax: comparisonsMax)
            for number in met.numbers {
                guard let watch = watches[Sequence(number)], watch.firesOn.contains(firesOn),
                    watch.zone == nil || watch.zone == zone
                else { continue }
                found.insert(Sequence(number))
            }
            matches.lookedTo = met.lookedTo.map { Sequence($0) }
            matches.comparisons = met.comparisons
        }
        let last = matches.lookedTo ?? .max
        let due = found.filter { $0 > after && $0 < event.sequence && $0 <= last }
        matches.list = due.sorted().compactMap { sequence in
            watches[sequence].map { Match(sequence: sequence, user: $0.user) }
        }
        return matches
    }
}

extension FiresOn {
    /// nil for changes of zones.
    fileprivate init?(_ kind: ChangeEventRow.Kind) {
        switch kind {
        case .created, .createdHidden, .appeared: self = .creation
        case .updated, .updatedHidden: self = .update
        case .deleted, .deletedHidden, .ended: self = .deletion
        case .zoneCreated, .zoneDeleted: return nil
        }
    }
}
