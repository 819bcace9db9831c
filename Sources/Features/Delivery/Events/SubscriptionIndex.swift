package import CloudKitWire
import NephosDomain
import NephosQueries
package import NephosStorage

/// The subscriptions of one database as far as they were read, prepared to be matched with changes. Valid for one version of the
/// catalog (docs/decisions/0006).
///
/// It may contain subscriptions that were deleted or saved again since. Before a notification, those that match are read again
/// (``CreateDeliveries``), and ``remove(_:)`` removes the ones that are gone.
package struct SubscriptionIndex: Sendable {
    /// What is cached of a subscription, by its sequence. The rest is read when it fires.
    private struct Watch: Sendable {
        var user: UserID
        var kind: SubscriptionRow.Kind
        /// nil for all zones.
        var zone: Name?
        var firesOn: FiresOn
    }

    /// A subscription that a change fires.
    package struct Match: Sendable, Equatable {
        package var sequence: Sequence
        package var user: UserID
    }

    package let catalog: Catalog
    package let database: DatabaseNumber
    private let owner: UserID?
    /// All subscriptions saved up to here are included.
    package private(set) var last: Sequence = 0
    /// The home databases of subscribers, which have their devices, as far as they were looked up.
    package private(set) var homes: [UserID: DatabaseNumber] = [:]
    private var watches: [Sequence: Watch] = [:]
    private var queries = StandingQueries()
    private var everywhere: Set<Sequence> = []
    /// Of zones of others.
    private var shared: Set<Sequence> = []
    private var inZones: [Name: Set<Sequence>] = [:]

    /// - Parameter head: The head of the database.
    package init(_ head: HeadRow, _ catalog: Catalog) {
        database = head.database
        owner = head.owner
        self.catalog = catalog
    }

    package var count: Int { watches.count }

    /// Caches the homes of users, which never change.
    package mutating func add(homesOf users: [UserRow]) { for user in users { homes[user.id] = user.home } }

    /// Clears the homes if most of those users no longer have subscriptions. Called between two events.
    package mutating func forgetHomes() { if homes.count > 2 * watches.count + 1_000 { homes = [:] } }

    /// Adds subscriptions that were saved after all known ones, in order.
    package mutating func add(_ rows: [SubscriptionRow]) {
        for row in rows {
            last = max(last, row.sequence)
            // An unreadable subscription notifies nobody; `nephos check` finds it.
            guard let subscription = try? SubscriptionDictionary(stored: row.dictionary) else { continue }
            add(row, subscription)
        }
    }

    private mutating func add(_ row: SubscriptionRow, _ subscription: SubscriptionDictionary) {
        let zone = subscription.zoneID?.zoneName.owned
        let watch = Watch(user: row.user, kind: row.kind, zone: zone, firesOn: subscription.firesOn)
        switch row.kind {
        case .database: everywhere.insert(row.sequence)
        case .sharedDatabase: shared.insert(row.sequence)
        case .zone:
            guard let zone else { return }
            inZones[zone, default: []].insert(row.sequence)
        case .query:
            // After a change of the schema, the query may no longer be valid. The subscription fires again once it is.
            guard let query = subscription.query, let type = catalog.types[query.recordType],
                let conditions = try? context(for: row.user).conditions(query.filters, of: type, in: zone)
            else { return }
            queries.insert(Int(row.sequence), type: type.row.number, conditions: conditions)
        }
        watches[row.sequence] = watch
    }

    /// The rights and names of a subscriber.
    func context(for user: UserID, at now: Milliseconds = 0) -> RequestContext {
        RequestContext(
            catalog: catalog, caller: .serverKey(user), scope: owner == nil ? .public : .private, now: now)
    }

    package mutating func remove(_ sequence: Sequence) {
        guard let watch = watches.removeValue(forKey: sequence) else { return }
        switch watch.kind {
        case .query: queries.remove(Int(sequence))
        case .database: everywhere.remove(sequence)
        case .sharedDatabase: shared.remove(sequence)
        case .zone:
            guard let zone = watch.zone else { return }
            inZones[zone]?.remove(sequence)
            if inZones[zone]?.isEmpty == true { inZones[zone] = nil }
        }
    }

    /// The subscriptions that a change fires.
    package struct Matches: Sendable, Equatable {
        /// In the order in which they were saved.
        package var list: [Match] = []
        /// Where matching stopped because of the limit: subscriptions after this one were not examined.
        package var lookedTo: Sequence?
        /// The comparisons made.
        package var comparisons = 0
    }

    /// The subscribers from before a change was made who have not been notified of it.
    ///
    /// - Parameters:
    ///   - zone: Where it was made.
    ///   - after: Only subscriptions after this one, to continue an earlier call.
    ///   - comparisonsMax: After this many comparisons with queries, the rest is left for a later call.
    package mutating func matches(
        _ change: WatchedChange, in zone: Name, after: Sequence = 0, comparisonsMax: Int = .max
    ) -> Matches {
        let event = change.event
        let after = max(after, event.notifiedTo)
        var matches = Matches()
        var found: Set<Sequence> = []
        if event.kind == .sharedChanged {
            found = shared
        } else if zone != defaultZoneName {
            // The default zone has no change feed, so its changes could not be fetched.
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
    /// nil for changes of anything but records.
    fileprivate init?(_ kind: ChangeEventRow.Kind) {
        switch kind {
        case .created, .createdHidden, .appeared: self = .creation
        case .updated, .updatedHidden: self = .update
        case .deleted, .deletedHidden, .ended: self = .deletion
        case .zoneCreated, .zoneDeleted, .sharedChanged: return nil
        }
    }
}
