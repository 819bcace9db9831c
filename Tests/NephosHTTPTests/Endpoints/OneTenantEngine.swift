import CloudKitWire
import NIOPosix
import NephosDelivery
import NephosDomain
import NephosStorage
import Synchronization
import TestEngines

/// An engine with one container, one app and one user, which records on what kind of thread each read runs.
final class OneTenantEngine: StorageEngine {
    enum Thread: Sendable, Equatable { case eventLoop, other }

    static let tenant = Tenant(container: "iCloud.test", environment: .development)
    static let apiToken = String(repeating: "a", count: 64)

    let name = "one tenant"
    private let store: OneTenantStore
    private let isOpen = Mutex(false)

    /// Containers that do not exist.
    private let absent: Set<String>

    init(readsWait: Bool, absent: Set<String> = []) {
        store = OneTenantStore(readsWait: readsWait)
        self.absent = absent
    }

    var readsWait: Bool { store.readsWait }
    let jobs: any JobStore = MemoryJobs()
    func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool { false }
    func probe() throws(StorageError) { try store.noteRead() }

    /// The threads of all reads so far, including opening the tenant.
    var reads: [Thread] { store.state.withLock { $0.reads } }
    /// The error of all following calls.
    func fail(with error: StorageError?) { store.state.withLock { $0.failure = error } }

    /// Makes queries, feeds and look-ups exceed the limits of a brief read.
    func makeReads(long: Bool) { store.state.withLock { $0.readsAreLong = long } }

    /// The files without references.
    func release(of files: UnreferencedFiles) { store.state.withLock { $0.unreferenced = files } }

    /// Whether each read of queries, feeds and records can be cancelled by its caller.
    var canBeEnded: [Bool] { store.state.withLock { $0.canBeEnded } }

    /// The token of a device that was removed since.
    var courierToken: String {
        let device = DeviceKey(
            database: 2, user: OneTenantStore.session.user, id: .init(repeating: 4, count: DeviceRow.idBytes))
        return CourierToken(device).sealed(key: OneTenantStore.signingKey)
    }

    /// A web auth token of the user.
    var webAuthToken: String { WebAuthToken.issue(for: OneTenantStore.session, nonce: 1) ?? "" }

    func listen(_: @escaping @Sendable (StorageNews) -> Void) {}

    func opened(_ tenant: Tenant) -> (any TenantStore)? {
        isOpen.withLock { $0 } && !absent.contains(tenant.container) ? store : nil
    }

    func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        try store.noteRead()
        if absent.contains(tenant.container) { return nil }
        isOpen.withLock { $0 = true }
        return store
    }

    var directory: any DirectoryStore {
        let store = store
        return ListedContainers { () throws(StorageError) in
            try store.noteRead()
            return []
        }
    }

    func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews] { [:] }
    func checkDirectory() throws(StorageError) -> [CheckFinding] { [] }
    func close() {}
}

private final class OneTenantStore: TenantStore {
    struct State {
        var reads: [OneTenantEngine.Thread] = []
        var failure: StorageError?
        var readsAreLong = false
        var unreferenced = UnreferencedFiles()
        var canBeEnded: [Bool] = []
    }

    static let session = SessionRow(
        id: .init(repeating: 1, count: 16), user: UserID(high: 1, low: 2), privateDatabase: 2,
        secret: .init(repeating: 3, count: 32), createdAt: 0, expiresAt: .max)

    static let signingKey = [UInt8](repeating: 9, count: 32)

    let tenant = OneTenantEngine.tenant
    let readsWait: Bool
    let state = Mutex(State())

    init(readsWait: Bool) { self.readsWait = readsWait }

    func noteRead() throws(StorageError) {
        let isLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
        let failure = state.withLock { state in
            state.reads.append(isLoop ? .eventLoop : .other)
            return state.failure
        }
        if let failure { throw failure }
    }

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        try noteRead()
        let token = APITokenRow(hash: APIToken.hash(OneTenantEngine.apiToken), name: "", createdAt: 0)
        let seed = TenantSeed.standard(tenant: tenant, signingKey: Self.signingKey, now: 0)
        let note: [CatalogRow] = [
            .type(RecordTypeRow(number: 9, name: "Note")),
            .field(FieldRow(type: 9, name: "___recordID", kind: .reference, options: .queryable)),
        ]
        var reading = Reading(catalog: Catalog(head: seed.head, rows: seed.rows + [.token(token)] + note))
        reading.zones = set.zones.map { _ in
            ZoneRow(database: 2, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1, createdAt: 0)
        }
        reading.answerNothing(set)
        reading.answerAll(set) { $0 == SessionRow.keyed([Self.session.id]) ? [Self.session] : [] }
        let areLong = state.withLock { state in
            if set.unreferencedFiles { reading.unreferencedFiles = state.unreferenced }
            if !(set.queries.isEmpty && set.feeds.isEmpty && set.records.isEmpty) {
                state.canBeEnded.append(set.abandonment != nil)
            }
            return state.readsAreLong
        }
        reading.queries = set.queries.map {
            areLong && $0.isBrief ? .givenUp() : QueryPage(work: ReadWork(rows: 5))
        }
        let isBrief = set.feedBudget.bytes <= QueryScan.briefBytes
        reading.feeds = set.feeds.map { FeedPage(changes: [], position: $0.bound, more: areLong && isBrief) }
        reading.feedsEndedEarly = areLong && isBrief
        let isCut = areLong && set.recordByteLimit <= QueryScan.briefBytes
        reading.records = set.records.map { _ in isCut ? .beyondLimit : .absent }
        return reading
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) { completion(.failure(state.withLock { $0.failure } ?? .closed)) }

    func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool { false }
    func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool { true }
    func sweepAssets(releasedBefore: Milliseconds, rows: Int) async throws -> [AssetRow] { [] }
    func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool { false }
    func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool { false }
    func openIndexes(_ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds) async throws {}
    func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool { false }
    func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {}
    func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {}
    func waitingRows() throws(StorageError) -> WaitingRows { WaitingRows() }
    func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] { [] }
}
