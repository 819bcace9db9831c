import CloudKitWire
import NephosStorage

extension TestDatabase {
    /// The subscriptions of ``user``, or others.
    func subscriptions(_ which: SubscriptionScan.Which? = nil, limit: Int = 1_000) throws -> [SubscriptionRow] {
        var set = ReadSet()
        set.subscriptions = [SubscriptionScan(database: number, which: which ?? .of(user), limit: limit)]
        return try store.read(set).subscriptions[0]
    }

    /// Saves a subscription of ``user``, in the place of one of the same name.
    @discardableResult
    func subscribe(
        _ name: Name, _ kind: SubscriptionRow.Kind = .database, _ dictionary: String = "{}"
    ) async throws -> SubscriptionRow {
        try await changeSubscription(name) { head, old in
            SubscriptionRow(
                database: number, user: user, name: name, sequence: head.sequence, kind: kind,
                createdAt: old?.createdAt ?? head.sequence, dictionary: Bytes(dictionary))
        }.new ?? { throw StorageError.failed("nothing was saved") }()
    }

    func unsubscribe(_ name: Name) async throws { try await changeSubscription(name) { _, _ in nil } }

    @discardableResult
    private func changeSubscription(
        _ name: Name, _ new: @escaping @Sendable (HeadRow, SubscriptionRow?) -> SubscriptionRow?
    ) async throws -> SubscriptionWrite {
        var set = ReadSet()
        set.databases = [number]
        set.subscriptions = [SubscriptionScan(database: number, which: .of(user), limit: 1_000)]
        return try await store.commit(set) { reading in
            var head = try unwrap(reading.databases[0], "the head")
            head.sequence += 1
            let old = reading.subscriptions[0].first { $0.name == name }
            let write = SubscriptionWrite(old: old, new: new(head, old))
            var writes = WriteSet()
            writes.heads = [head]
            writes.subscriptions = [write]
            return .write(writes, write)
        }
    }

    // MARK: Events

    /// The events of this database; of the first behind it that has any, where it has none.
    func events(limit: Int = 1_000, byteLimit: Int = 8 << 20) throws -> [WatchedChange] {
        var set = ReadSet()
        set.events = [EventScan(from: number, limit: limit, byteLimit: byteLimit)]
        return try store.read(set).events[0]
    }

    func tell(_ events: [ToldEvent]) async throws {
        var set = ReadSet()
        set.databases = [number]
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.heads = reading.databases.compactMap { $0 }
            writes.toldEvents = events
            return .write(writes, ())
        }
    }
}
