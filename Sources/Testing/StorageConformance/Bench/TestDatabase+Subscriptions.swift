import CloudKitWire
import NephosStorage

extension TestDatabase {
    /// The subscriptions of ``user``.
    func subscriptions(limit: Int = 1_000) throws -> [SubscriptionRow] {
        try rows(SubscriptionRow.of(user, in: number, limit: limit))
    }

    /// Subscriptions of all users that were saved after a sequence number.
    func subscriptions(savedAfter sequence: Sequence, limit: Int = 1_000) throws -> [SubscriptionRow] {
        try rows(SubscriptionRow.savedAfter(sequence, in: number, limit: limit))
    }

    /// Rows of a described table.
    func rows<Row>(_ scan: Scan<Row>) throws -> [Row] {
        var set = ReadSet()
        set.ask(scan)
        return try store.read(set)[scan]
    }

    /// Saves a subscription of ``user``, replacing one with the same name.
    @discardableResult
    func subscribe(
        _ name: Name, _ kind: SubscriptionRow.Kind = .database, _ dictionary: String = "{}"
    ) async throws -> SubscriptionRow {
        try await changeSubscription(name) { head, old in
            SubscriptionRow(
                database: number, user: user, name: name, sequence: head.sequence, kind: kind,
                createdAt: old?.createdAt ?? head.sequence, dictionary: Bytes(dictionary))
        } ?? { throw StorageError.failed("nothing was saved") }()
    }

    func unsubscribe(_ name: Name) async throws { try await changeSubscription(name) { _, _ in nil } }

    @discardableResult
    private func changeSubscription(
        _ name: Name, _ new: @escaping @Sendable (HeadRow, SubscriptionRow?) -> SubscriptionRow?
    ) async throws -> SubscriptionRow? {
        var set = ReadSet()
        set.databases = [number]
        let own = SubscriptionRow.of(user, in: number)
        set.ask(own)
        return try await store.commit(set) { reading in
            var head = try unwrap(reading.databases[0], "the head")
            head.sequence += 1
            let old = reading[own].first { $0.name == name }
            let row = new(head, old)
            var writes = WriteSet()
            writes.heads = [head]
            if let row { writes.put(row, replacing: old) } else if let old { writes.remove(old) }
            return .write(writes, row)
        }
    }

    // MARK: Events

    /// The events of this database.
    func events(limit: Int = 1_000, byteLimit: Int = 8 << 20) throws -> [WatchedChange] {
        var set = ReadSet()
        set.events = [EventScan(number, limit: limit, byteLimit: byteLimit)]
        return try store.read(set).events[0]
    }

    /// - Parameter sequence: As in ``WriteSet/told(_:to:)``.
    func markNotified(_ events: [ChangeEventRow], to sequence: Sequence? = nil) async throws {
        var set = ReadSet()
        set.databases = [number]
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.heads = reading.databases.compactMap { $0 }
            for event in events { writes.markNotified(event, to: sequence) }
            return .write(writes, ())
        }
    }
}
