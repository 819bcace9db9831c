package import NephosStorage

/// A store that wraps another one, and forwards to it everything that it does not implement itself.
package protocol StandInStore: TenantStore {
    /// The wrapped store.
    var store: any TenantStore { get }
}

extension StandInStore {
    package var tenant: Tenant { store.tenant }
    package var described: TableSet { store.described }
    package var readsWait: Bool { store.readsWait }

    package func read(_ set: ReadSet) throws(StorageError) -> Reading { try store.read(set) }

    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        store.commit(set, decide: decide, completion: completion)
    }

    package func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool {
        try await store.sweepDeadZones(rows: rows, at: now)
    }

    package func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        try await store.purgeTombstones(deletedBefore: time, rows: rows)
    }

    package func openIndexes(
        _ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds
    ) async throws {
        try await store.openIndexes(shapes, in: database, at: now)
    }

    package func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool {
        try await store.buildIndexes(in: database, rows: rows)
    }

    package func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {
        try await store.dropIndexes(numbers, in: database)
    }

    package func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {
        try await store.noteUse(of: numbers, in: database, at: now)
    }

    package func purgeTrash(
        deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds
    ) async throws -> Bool {
        try await store.purgeTrash(deletedBefore: time, rows: rows, at: now)
    }

    package func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow] {
        try await store.sweepAssets(releasedBefore: time, rows: rows)
    }

    package func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool {
        try await store.removePerson(user, at: now)
    }

    package func waitingRows() throws(StorageError) -> WaitingRows { try store.waitingRows() }

    package func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] {
        try store.check(progress: progress)
    }
}
