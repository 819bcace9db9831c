import Synchronization

/// A store that detects that its container was deleted.
package protocol OpenStore: TenantStore {
    /// Whether the container was deleted, by this process or another.
    var isGone: Bool { get }
}

/// The open tenants of an engine; the least recently used are closed first.
package final class OpenTenants<Store: OpenStore>: Sendable {
    /// A class, so that a use is recorded in place: changing a value in this generic dictionary takes ten allocations.
    private final class Entry {
        var store: Store
        var lastUse: UInt64

        init(_ store: Store, lastUse: UInt64) {
            self.store = store
            self.lastUse = lastUse
        }
    }

    private struct Table {
        var entries: [Tenant: Entry] = [:]
        /// Counts uses; the entry with the smallest number is the least recently used.
        var clock: UInt64 = 0
        var isClosed = false
    }

    private let table = Mutex(Table())
    /// Locked while a tenant is opened, so that none is opened twice. ``subscript(_:)`` does not wait for this lock.
    private let opening = Mutex(())
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    package var all: [Store] { table.withLock { $0.entries.values.map(\.store) } }

    package var count: Int { table.withLock { $0.entries.count } }

    package subscript(_ tenant: Tenant) -> Store? {
        table.withLock { table in
            guard let entry = table.entries[tenant], !entry.store.isGone else { return nil }
            table.clock += 1
            entry.lastUse = table.clock
            return entry.store
        }
    }

    /// Returns the store of a tenant, opened by `open` if it is not open yet; nil if `open` returns nil.
    package func open(
        _ tenant: Tenant, _ open: () throws(StorageError) -> Store?
    ) throws(StorageError) -> Store? {
        try opening.withLock { _ throws(StorageError) in
            if let store = self[tenant] { return store }
            guard let store = try open() else { return nil }
            // Evicted stores are closed outside of the lock, since closing may write the last pages of a log.
            let evicted = try table.withLock { table throws(StorageError) in
                if table.isClosed { throw .closed }
                table.clock += 1
                table.entries[tenant] = Entry(store, lastUse: table.clock)
                return Self.evict(from: &table, limit)
            }
            _ = consume evicted
            return store
        }
    }

    /// Removes the stores of a container that was deleted, or is created again.
    package func forget(container: String) {
        let dropped = table.withLock { table in
            let gone = table.entries.filter { $0.key.container == container }
            for tenant in gone.keys { table.entries[tenant] = nil }
            return gone.values.map(\.store)
        }
        _ = consume dropped
    }

    /// Removes all entries. No tenant can be opened after that.
    ///
    /// - Returns: The stores that were open.
    package func closeAll() -> [Store] {
        table.withLock { table in
            table.isClosed = true
            defer { table.entries = [:] }
            return table.entries.values.map(\.store)
        }
    }

    /// Removes entries beyond the limit whose stores nothing else references. A store that a request still references
    /// is in use.
    ///
    /// - Returns: The stores that were removed.
    private static func evict(from table: inout Table, _ limit: Int) -> [Store] {
        var evicted: [Store] = []
        guard table.entries.count > limit else { return [] }
        // Only the numbers are copied: a copy of the entries would reference their stores.
        let uses = table.entries.map { (tenant: $0.key, lastUse: $0.value.lastUse) }
        for (tenant, _) in uses.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard table.entries.count > limit else { break }
            guard let entry = table.entries[tenant], isKnownUniquelyReferenced(&entry.store) else { continue }
            table.entries[tenant] = nil
            evicted.append(entry.store)
        }
        return evicted
    }
}
