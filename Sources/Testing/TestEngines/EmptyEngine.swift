import CloudKitWire
package import NephosStorage
import Synchronization

/// An engine without containers, or with containers that only have dead zones and tombstones to clear.
package final class EmptyEngine: StorageEngine {
    package let name = "empty"
    private let stores: [Tenant: UpkeepStore]
    private let opened: Set<Tenant>
    private let failure: StorageError?
    private let unreadable: [Tenant: StorageError]

    /// - Parameter unreadable: Errors of opening tenants.
    package init(
        stores: [Tenant: UpkeepStore] = [:], opened: Set<Tenant> = [], failure: StorageError? = nil,
        unreadable: [Tenant: StorageError] = [:]
    ) {
        self.unreadable = unreadable
        self.stores = stores
        self.opened = opened
        self.failure = failure
    }

    package let readsWait = false
    package let jobs: any JobStore = MemoryJobs()
    package func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool { false }
    package func probe() throws(StorageError) { if let failure { throw failure } }
    package func listen(_: @escaping @Sendable (StorageNews) -> Void) {}

    package func opened(_ tenant: Tenant) -> (any TenantStore)? { opened.contains(tenant) ? stores[tenant] : nil }
    package func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        if let failure = unreadable[tenant] { throw failure }
        return stores[tenant]
    }
    package var directory: any DirectoryStore {
        ListedContainers { () throws(StorageError) in
            if let failure = self.failure { throw failure }
            return Set((Array(self.stores.keys) + self.unreadable.keys).map(\.container)).sorted().map {
                ContainerRow(id: $0, createdAt: 0)
            }
        }
    }
    package func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews] {
        if let failure { throw failure }
        return [:]
    }
    package func checkDirectory() throws(StorageError) -> [CheckFinding] { [] }
    package func close() {}
}

/// A tenant that only counts its sweeps, continued cascades, index builds and purges.
package final class UpkeepStore: TenantStore {
    package struct Counts: Equatable {
        package var sweeps = 0
        package var cascades = 0
        package var builds = 0
        package var purges = 0
        package var trash = 0

        package init(sweeps: Int = 0, cascades: Int = 0, builds: Int = 0, purges: Int = 0, trash: Int = 0) {
            (self.sweeps, self.cascades, self.builds) = (sweeps, cascades, builds)
            (self.purges, self.trash) = (purges, trash)
        }
    }

    package let tenant: Tenant
    package let readsWait = false
    private let chunks: Int
    private let failure: StorageError?
    private let state = Mutex(Counts())

    /// - Parameters:
    ///   - chunks: Number of transactions per sweep or purge, and of pending cascades.
    ///   - failure: The error of a sweep.
    package init(_ tenant: Tenant, chunks: Int, failure: StorageError? = nil) {
        self.tenant = tenant
        self.chunks = chunks
        self.failure = failure
    }

    package var counts: Counts { state.withLock { $0 } }

    package func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool {
        if let failure { throw failure }
        return state.withLock { counts in
            counts.sweeps += 1
            return counts.sweeps < chunks
        }
    }

    package func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        state.withLock { counts in
            counts.purges += 1
            return counts.purges < chunks
        }
    }

    package func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool {
        state.withLock { counts in
            counts.builds += 1
            return counts.builds < chunks
        }
    }

    package func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow] { [] }

    package func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool { true }

    package func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool {
        state.withLock { counts in
            counts.trash += 1
            return counts.trash < chunks
        }
    }

    package func openIndexes(_ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds) async throws {}
    package func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {}
    package func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {}

    package func read(_ set: ReadSet) throws(StorageError) -> Reading {
        let head = CatalogHead(tenant: tenant, signingKey: [], createdAt: 0)
        var reading = Reading(catalog: Catalog(head: head, rows: []))
        reading.answerNothing(set)
        let waiting = PendingCascadeRow(database: 1, zone: 1, target: "gone", sequence: 1)
        reading.answerAll(set) { _ in counts.cascades < chunks ? [waiting] : [] }
        return reading
    }

    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        state.withLock { $0.cascades += 1 }
        completion(
            Result {
                var reading = try read(set)
                reading.databases = [nil]
                reading.zones = [nil]
                guard case .write(_, let answer) = try decide(reading) else { throw StorageError.closed }
                return answer
            })
    }

    package func waitingRows() throws(StorageError) -> WaitingRows { WaitingRows() }
    package func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] { [] }
}
