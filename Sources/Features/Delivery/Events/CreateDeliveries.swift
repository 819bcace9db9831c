package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Turns events of one database into deliveries for the devices of its subscribers, in one transaction. Events that have been
/// processed completely are deleted (docs/decisions/0006).
package struct CreateDeliveries: Sendable {
    /// An event, with the subscribers who are notified now.
    package struct Part: Sendable {
        package var change: WatchedChange
        /// The zone of the change.
        package var zone: Name
        /// Ordered by sequence.
        package var matches: [SubscriptionIndex.Match]
        /// There are more, who will be notified later.
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
        /// - gone: Subscriptions that no longer exist, to be removed from the index.
        case delivered(deliveries: Int, gone: [Sequence])
        /// Something changed between reading and writing: read again.
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
    /// The plan. No reference to the index is kept, because changing the index would then copy it.
    private let rows: [DeliveryRow]
    private let finished: [SubscriptionRow]

    /// The state on which the plan is based.
    private struct Seen: Equatable {
        var subscriptions: [SubscriptionRow]
        var memberships: [[Int64]]

        init(_ reading: Reading, _ matched: Scan<SubscriptionRow>) {
            subscriptions = reading[matched].sorted { $0.sequence < $1.sequence }
            memberships = reading.memberships
        }
    }

    /// What must be read before it can be planned who is notified of what.
    package static func preparation(_ parts: [Part], _ index: SubscriptionIndex) -> ReadSet {
        let matches = parts.flatMap(\.matches)
        // In a stable order, because roles are returned by position.
        let users = Set(matches.map(\.user)).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        var set = ReadSet()
        set.ask(matched(parts, in: index.database))
        set.ask(devices(parts, index))
        if index.asksForRoles(parts) { set.memberships = users }
        return set
    }

    /// The devices of the subscribers, as far as their homes are known (``SubscriptionIndex/homes``).
    static func devices(_ parts: [Part], _ index: SubscriptionIndex) -> Scan<DeviceRow> {
        let users = Set(parts.flatMap(\.matches).map(\.user)).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        return DeviceRow.of(users.compactMap { user in index.homes[user].map { (user, $0) } })
    }

    /// The subscribers whose homes are not known.
    package static func subscribersWithoutHome(_ parts: [Part], _ index: SubscriptionIndex) -> [UserID] {
        Array(Set(parts.flatMap(\.matches).map(\.user)).filter { index.homes[$0] == nil })
    }

    /// The matched subscriptions, as far as they still exist.
    static func matched(_ parts: [Part], in database: DatabaseNumber) -> Scan<SubscriptionRow> {
        SubscriptionRow.savedAt(Set(parts.flatMap(\.matches).map(\.sequence)).sorted(), in: database)
    }

    /// - Parameters:
    ///   - parts: The oldest events of the database, in order, without gaps.
    ///   - reading: The result of ``preparation(_:_:)``.
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

    /// The number of deliveries it would write.
    package var deliveries: Int { rows.count }

    package func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        guard reading.catalog.version == catalog.version, reading.catalog.head.signingKey == catalog.head.signingKey,
            reading[events] == parts.map(\.change.event), Seen(reading, matched) == seen
        else { return .write(WriteSet(), .stale) }
        let devices = Set(reading[devices].map(\.key))
        let rows = self.rows.filter { devices.contains($0.device) }
        let known = DeliveryRow.keyed(rows.map(\.key))
        guard let before = reading.rows(of: known) else {
            guard !rows.isEmpty else { return .write(delivered(), answer(0)) }
            var more = ReadSet()
            more.ask(known)
            return .need(more)
        }
        var set = delivered()
        let waiting = Dictionary(before.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for row in rows {
            let old = waiting[row.key]
            set.put(old?.merged(with: row) ?? row, replacing: old)
        }
        return .write(set, answer(rows.count))
    }

    /// Marks or deletes the events as far as they are processed, and deletes subscriptions that fire only once.
    private func delivered() -> WriteSet {
        var set = WriteSet()
        for part in parts {
            set.markNotified(part.change.event, to: part.isUnfinished ? part.matches.last?.sequence : nil)
        }
        for row in finished { set.remove(row) }
        return set
    }

    private func answer(_ deliveries: Int) -> Answer {
        let there = Set(seen.subscriptions.map(\.sequence))
        return .delivered(
            deliveries: deliveries,
            gone: sequences.filter { !there.contains($0) } + finished.map(\.sequence))
    }
}

extension DeliveryRow {
    /// Merges a later delivery into this one.
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
    /// Whether access to any changed record depends on roles.
    fileprivate func asksForRoles(_ parts: [CreateDeliveries.Part]) -> Bool {
        parts.contains { part in
            guard let record = part.change.record, let type = catalog.type(record.type) else { return false }
            return !context(for: .server).memberships(for: [type]).isEmpty
        }
    }
}
