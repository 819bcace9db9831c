import Dispatch
import NephosStorage
import Synchronization

/// One tenant, with a pool of connections. Commits run on separate threads, each with its own connection.
final class PostgresTenantStore: TenantStore {
    let tenant: Tenant
    private let conninfo: String
    private let place: String
    private let idle = Mutex<[Connection]>([])
    private let cache = CatalogCache()
    private let threads = DispatchQueue(label: "postgres commits", attributes: .concurrent)

    init(_ tenant: Tenant, _ conninfo: String, place: String) {
        self.tenant = tenant
        self.conninfo = conninfo
        self.place = place
    }

    func close() { idle.withLock { $0 = [] } }

    /// Provides a connection. After an error, it is not used again, because it may still be in a transaction.
    private func withConnection<Answer>(_ work: (Connection) throws -> Answer) throws -> Answer {
        let connection = try idle.withLock { $0.popLast() } ?? Connection(conninfo, place: place)
        let answer = try work(connection)
        idle.withLock { $0.append(connection) }
        return answer
    }

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        do {
            return try withConnection { connection in
                // One snapshot for all statements, from the first of them on.
                let begin = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                var rows = try connection.run([begin, CatalogReader.head] + set.statements)[...].dropFirst()
                let reader = CatalogReader(connection)
                var reading = Reading(catalog: try reader.catalog(headRows: rows.removeFirst(), cache: cache))
                try reading.take(set, from: &rows)
                try connection.run([Statement("COMMIT")])
                return reading
            }
        } catch let error as StorageError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        threads.async { [self] in
            completion(
                Result {
                    try withConnection {
                        try Commit(connection: $0, set: set, cache: cache, decide: decide).run()
                    }.get()
                })
        }
    }

    func sweepDeadZones(rows: Int) async throws -> Bool {
        try withConnection { try $0.sweepDeadZones(rows: rows) }
    }

    func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        throw StorageError.failed("the spike purges nothing")
    }

    /// The spike's rows have no checksums, so there is nothing to compare; the suite counts the rows itself.
    func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] { [] }
}
