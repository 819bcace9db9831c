import NephosStorage
import Synchronization

/// A tenant that records how its indexes are opened, built and used, and takes the specified number of chunks.
final class BuildStore: TenantStore {
    enum Event: Equatable, Sendable {
        case open(Set<IndexShape>, DatabaseNumber)
        case chunk(DatabaseNumber?)
        case use([IndexNumber], DatabaseNumber)
    }

    private struct State {
        var events: [Event] = []
        var chunks = 1
        var failure: StorageError?
        var held: Set<DatabaseNumber> = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    let tenant = Tenant(container: "iCloud.test", environment: .development)
    let readsWait = false
    private let state = Mutex(State())

    var events: [Event] { state.withLock { $0.events } }

    /// The number of chunks that the next build takes, and the error after them.
    func prepare(chunks: Int = 1, failure: StorageError? = nil) {
        state.withLock { ($0.chunks, $0.failure) = (chunks, failure) }
    }

    /// Blocks all chunks of a database until ``release()``.
    func hold(_ database: DatabaseNumber) { state.withLock { _ = $0.held.insert(database) } }

    func release() {
        let waiting = state.withLock { state in
            defer { (state.held, state.waiting) = ([], []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until this many events have happened.
    func happened(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.events.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func note(_ event: Event) {
        let told = state.withLock { state in
            state.events.append(event)
            let count = state.events.count
            let told = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return told
        }
        for watcher in told { watcher.1.resume() }
    }

    // MARK: TenantStore

    func openIndexes(_ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds) async throws {
        note(.open(Set(shapes), database))
    }

    func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool {
        note(.chunk(database))
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard let database, state.held.contains(database) else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return try state.withLock { state throws(StorageError) in
            state.chunks -= 1
            if state.chunks > 0 { return true }
            state.chunks = 1
            if let failure = state.failure { throw failure }
            return false
        }
    }

    func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {
        note(.use(numbers, database))
    }

    func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {}
    func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool { false }
    func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool { true }
    func sweepAssets(releasedBefore: Milliseconds, rows: Int) async throws -> [AssetRow] { [] }
    func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool { false }
    func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool { false }
    func waitingRows() throws(StorageError) -> WaitingRows { WaitingRows() }
    func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] { [] }

    func read(_ set: ReadSet) throws(StorageError) -> Reading { throw .closed }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) { completion(.failure(StorageError.closed)) }
}
