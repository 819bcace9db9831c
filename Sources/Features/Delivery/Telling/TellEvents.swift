package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Turns events of one database into deliveries, in one transaction: what its subscribers' devices are to be told. Events
/// that all were told of go (docs/decisions/0006).
package struct TellEvents: Sendable {
    /// An event, and those of its subscribers who are told now.
    package struct Part: Sendable {
        package var change: WatchedChange
        /// Where it took place.
        package var zone: Name
        /// In order.
        package var matches: [SubscriptionIndex.Match]
        /// There are more, who will be told later.
        package var isUnfinished: Bool

        package init(
            _ change: WatchedChange, in zone: Name, matches: [SubscriptionIndex.Match], isUnfinished: Bool = false
        ) {
            self.change = change
            self.zone = zone
            self.matches = matches
            self.isUnfinished = isUnfinished
        }
    }

    package enum Answer: Sendable, Equatable {
        /// - gone: Subscriptions that are not there any more, to be removed from the index.
        case told(deliveries: Int, gone: [Sequence])
        /// Something changed between looking and writing: look again.
        case stale
    }

    private let parts: [Part]
    private let catalog: Catalog
    private let database: DatabaseNumber
    private let sequences: [Sequence]
    private let events: Scan<ChangeEventRow>
    private let matched: Scan<SubscriptionRow>
    private let devices: Scan<DeviceRow>
    private let seen: Seen
    /// What was planned. Nothing of the index is kept: it would be copied when it is changed before this is let go of.
    private let rows: [DeliveryRow]
    private let finished: [SubscriptionRow]

    /// What the plan rests on.
    private struct Seen: Equatable {
        var subscriptions: [SubscriptionRow]
        var memberships: [[Int64]]

        init(_ reading: Reading, _ matched: Scan<SubscriptionRow>) {
            subscriptions = reading[matched].sorted { $0.sequence < $1.sequence }
            memberships = reading.memberships
        }
    }

    /// What must be seen before it can be planned who is told what.
    package static func preparation(_ parts: [Part], _ index: SubscriptionIndex) -> ReadSet {
        let matches = parts.flatMap(\.matches)
        // In an order that is the same each time: roles are answered position by position.
        let users = Set(matches.map(\.user)).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        var set = ReadSet()
        set.ask(matched(parts, in: index.database))
        set.ask(devices(parts, index))
        if index.asksForRoles(parts) { set.memberships = users }
        return set
    }

    /// The devices of those who are told, as far as it is known where they are at home (``SubscriptionIndex/homes``).
    static func devices(_ parts: [Part], _ index: SubscriptionIndex) -> Scan<DeviceRow> {
        let users = Set(parts.flatMap(\.matches).map(\.user)).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        return DeviceRow.of(users.compactMap { user in index.homes[user].map { (user, $0) } })
    }

    /// Those who are told and of whom it is not known where they are at home.
    package static func homeless(_ parts: [Part], _ index: SubscriptionIndex) -> [UserID] {
        Array(Set(parts.flatMap(\.matches).map(\.user)).filter { index.homes[$0] == nil })
    }

    /// The subscriptions that were matched, as far as they still stand.
    static func matched(_ parts: [Part], in database: DatabaseNumber) -> Scan<SubscriptionRow> {
        SubscriptionRow.savedAt(Set(parts.flatMap(\.matches).map(\.sequence)).sorted(), in: database)
    }

    /// - Parameters:
    ///   - parts: The oldest events of the database, in order, none left out.
    ///   - reading: Of ``preparation(_:_:)``.
    ///   - window: How long a delivery waits for others to be merged with it.
    package init(
        _ parts: [Part], _ index: SubscriptionIndex, _ reading: Reading, now: Milliseconds, window: Milliseconds
    ) {
        self.parts = parts
        catalog = index.catalog
        database = index.database
        sequences = Array(Set(parts.flatMap { $0.matches.map(\.sequence) }))
        matched = Self.matched(parts, in: index.database)
        devices = Self.devices(parts, index)
        seen = Seen(reading, matched)
        let plan = DeliveryPlan(parts, index, reading, now: now, window: window)
        (rows, finished) = (plan.rows, plan.finished)
        var set = Self.preparation(parts, index)
        set.databases = [index.database]
        events = ChangeEventRow.oldest(in: index.database, limit: parts.count)
        set.ask(events)
        self.reading = set
    }

    package let reading: ReadSet

    /// How many deliveries it would write.
    package var deliveries: Int { rows.count }

    package func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        guard reading.catalog.version == catalog.version, reading.catalog.head.signingKey == catalog.head.signingKey,
            reading[events] == parts.map(\.change.event), Seen(reading, matched) == seen
        else { return .write(WriteSet(), .stale) }
        let devices = Set(reading[devices].map(\.key))
        let rows = self.rows.filter { devices.contains($0.device) }
        let known = DeliveryRow.keyed(rows.map(\.key))
        guard let before = reading.rows(of: known) else {
            guard !rows.isEmpty else { return .write(told(), answer(0)) }
            var more = ReadSet()
            more.ask(known)
            return .need(more)
        }
        var set = told()
        let waiting = Dictionary(before.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for row in rows {
            let old = waiting[row.key]
            set.put(old?.merged(with: row) ?? row, replacing: old)
        }
        return .write(set, answer(rows.count))
    }

    /// The events, as far as they are told by this, and the subscriptions that have done what they were for.
    private func told() -> WriteSet {
        var set = WriteSet()
        for part in parts {
            set.told(part.change.event, to: part.isUnfinished ? part.matches.last?.sequence : nil)
        }
        for row in finished { set.remove(row) }
        return set
    }

    private func answer(_ deliveries: Int) -> Answer {
        let there = Set(seen.subscriptions.map(\.sequence))
        return .told(
            deliveries: deliveries,
            gone: sequences.filter { !there.contains($0) } + finished.map(\.sequence))
    }
}

extension DeliveryRow {
    /// Takes in what came behind it.
    fileprivate func merged(with next: DeliveryRow) -> DeliveryRow {
        var row = self
        row.sequence = next.sequence
        row.createdAt = next.createdAt
        row.changes += next.changes
        row.payload = next.payload
        row.collapseID = next.collapseID
        return row
    }
}

extension SubscriptionIndex {
    /// Whether roles decide who may read what changed.
    fileprivate func asksForRoles(_ parts: [TellEvents.Part]) -> Bool {
        parts.contains { part in
            guard let record = part.change.record, let type = catalog.type(record.type) else { return false }
            return !context(for: .server).memberships(for: [type]).isEmpty
        }
    }
}
