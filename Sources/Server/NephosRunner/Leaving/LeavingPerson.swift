import CloudKitWire
import NephosDomain
package import NephosStorage

/// A person who leaves an environment of a container for good, for features (``Feature/leaving``).
package struct LeavingPerson: Sendable {
    /// Rows per transaction: few enough to delay a server on the same store for only milliseconds.
    package static let most = 200

    package let user: UserRow
    package let store: any TenantStore
    package let worker: Worker
    /// Called between two transactions: throws if another process has taken over.
    package let keep: @Sendable () async throws -> Void

    package init(
        user: UserRow, store: any TenantStore, worker: Worker, keep: @escaping @Sendable () async throws -> Void = {}
    ) {
        (self.user, self.store, self.worker, self.keep) = (user, store, worker, keep)
    }

    /// Removes all rows that a scan finds, in a table whose rows may be removed without further conditions.
    package func remove<Row: StoredRow>(_ scan: Scan<Row>) async throws {
        while true {
            let found = try await worker.rows(scan, from: store)
            guard !found.isEmpty else { return }
            let removal = RemoveRows(scan, found)
            try await worker.runner.commit(removal.reading, to: store, decide: removal.decide)
            try await keep()
        }
    }

    /// Removes the record versions that the person authored, whoever owns the records.
    package func remove<Keeper: VersionKeeper>(versionsOf: Keeper.Type) async throws {
        try await forEach(of: DatedVersion<Keeper>.self) {
            [.database($0.database), .name($0.name), .int($0.version)]
        } author: {
            $0.author
        } body: { theirs in
            try await remove(theirs)
        }
    }

    /// Goes through a whole history in batches, and passes on the rows that the person authored.
    ///
    /// - Parameters:
    ///   - key: The key of a row.
    ///   - author: The author in a row, for people: the name of a user record, and optional text after it.
    package func forEach<Row: StoredRow>(
        of history: Row.Type, key: (Row) -> [ColumnValue], author: (Row) -> String,
        body: (Scan<Row>) async throws -> Void
    ) async throws {
        let name = user.id.recordName
        var last: Row?
        repeat {
            let page = try await worker.rows(Scan<Row>(above: last.map(key), limit: 10 * Self.most), from: store)
            let theirs = page.filter { author($0).split(separator: " ").first.map(String.init) == name }
            for some in theirs.chunks(of: Self.most) { try await body(Scan<Row>(among: some.map(key))) }
            last = page.last
            try await keep()
        } while last != nil
    }
}
