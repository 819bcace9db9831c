import Dispatch
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines

/// How long the chunks of an index build hold the writer, including their commits.
///
/// This process builds the index again, on the server's store, while nobody else writes.
struct IndexChunks: Sendable {
    /// The time of each chunk, ascending.
    let microseconds: [Double]

    /// Maximum number of records that a chunk scans; its time limit and number of entries may end it earlier.
    private static let rows = 1_000

    var median: Double { microseconds.isEmpty ? 0 : microseconds[microseconds.count / 2] }
    var percentile99: Double { microseconds.isEmpty ? 0 : microseconds[(microseconds.count - 1) * 99 / 100] }
    var longest: Double { microseconds.last ?? 0 }
    /// The number of chunks that took longer than 10 ms. Time beyond their limit of 5 ms is the commit, with the disk's sync and an
    /// occasional checkpoint.
    var beyondAim: Int { microseconds.count { $0 > 10_000 } }

    /// - Throws: ``Wrk/Failure`` if no database of the container has an index.
    static func measure(_ place: TestStore, container: String) throws -> IndexChunks {
        let result = Mutex<Result<[Double], any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            let times: Result<[Double], any Error>
            do { times = .success(try await build(place, container)) } catch { times = .failure(error) }
            result.withLock { $0 = times }
            end.signal()
        }
        end.wait()
        guard let times = result.withLock({ $0 }) else { throw Wrk.Failure(description: "no chunk was measured") }
        return IndexChunks(microseconds: try times.get().sorted())
    }

    private static func build(_ place: TestStore, _ container: String) async throws -> [Double] {
        let engine = try place.open()
        defer { engine.close() }
        let tenant = Tenant(container: container, environment: .development)
        guard let store = try engine.open(tenant) else { throw Wrk.Failure(description: "no container") }
        let databases = 1...(try store.read(ReadSet()).catalog.head.lastDatabase)
        guard
            let indexes = try databases.lazy.map({ try store.rows(IndexRow.all(of: $0)) }).first(where: { !$0.isEmpty })
        else {
            throw Wrk.Failure(description: "there is no index to rebuild")
        }
        let database = indexes[0].database
        try await store.dropIndexes(indexes.map(\.number), in: database)
        while try await store.buildIndexes(in: database, rows: rows) {}
        try await store.openIndexes(indexes.map(\.shape), in: database, at: 1)
        var times: [Double] = []
        var isUnderWay = true
        while isUnderWay {
            let start = ContinuousClock.now
            isUnderWay = try await store.buildIndexes(in: database, rows: rows)
            times.append((ContinuousClock.now - start) / .microseconds(1))
        }
        return times
    }
}
