import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import TestEngines

@testable import NephosPostgres

/// The tables in a test's own database, removed at the end of the test.
final class Schema: Sendable {
    let target: ConnectionTarget
    private let store: TestStore
    private let connection: Mutex<Connection>

    init() throws {
        store = try TestStore.withTables(.postgres)
        target = try ConnectionTarget(url: store.url ?? "")
        connection = Mutex(try Connection(target))
    }

    /// An engine with few connections, because many tests run concurrently.
    func open(_ tables: TableSet = .server) throws -> PostgresEngine {
        var options = PostgresOptions.ofTests
        options.tables = tables
        options.connections = 4
        return try PostgresEngine(target, options: options)
    }

    /// Runs statements that the engines do not notice, all or none.
    ///
    /// - Returns: The result of the last one.
    @discardableResult
    func run(_ statements: [String]) throws -> Rows {
        try connection.withLock { connection throws(StorageError) in
            guard let rows = try connection.run(statements.map { Call(Statement($0)) }).last else {
                throw .failed("a statement has no answer")
            }
            return UncheckedRows(rows: rows)
        }.rows
    }

    /// A result that leaves its connection's lock: from then on, a single thread owns it.
    private struct UncheckedRows: @unchecked Sendable { let rows: Rows }
}

extension PostgresOptions {
    /// With the key of test databases.
    static var ofTests: PostgresOptions {
        var options = PostgresOptions()
        options.secretKeys = .ofTests
        return options
    }
}

/// A container in its own schema, with the type `Note` and a zone to write to.
final class Cloud: Sendable {
    static let container = "iCloud.org.example.notes"
    static let tenant = Tenant(container: container, environment: .development)
    static let note = Notes.type

    let schema: Schema
    let engine: PostgresEngine
    var target: ConnectionTarget { schema.target }

    init() throws {
        schema = try Schema()
        engine = try schema.open()
        try Self.create(in: engine)
    }

    deinit { engine.close() }

    static func create(_ container: String = container, in engine: PostgresEngine) throws {
        try Notes.createContainer(container, in: engine)
    }

    /// Another engine on the same schema, like that of another process.
    func anotherEngine() throws -> PostgresEngine { try schema.open() }

    func store(_ engine: PostgresEngine? = nil, container: String = container) throws -> PostgresTenantStore {
        let store = try (engine ?? self.engine).open(Tenant(container: container, environment: .development))
        guard let store = store as? PostgresTenantStore else { throw StorageError.noSuchTenant }
        return store
    }

    /// Runs statements that the engine does not notice, all or none.
    ///
    /// - Returns: The result of the last one.
    @discardableResult
    func meddle(_ statements: String...) throws -> Rows { try schema.run(statements) }

    /// Returns when another session waits for a lock of this one.
    ///
    /// - Throws: ``NoWaitingSession``.
    func waitUntilSomebodyWaits(for session: WriteSession) throws {
        let own = try session.transaction.run(Statement("SELECT pg_backend_pid()::bigint")).first?.int(0) ?? 0
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE \(own) = ANY (pg_blocking_pids(pid))"
        guard try eventually({ try number(sql) ?? 0 > 0 }) else { throw NoWaitingSession() }
    }

    /// The result of a statement in its only column, a `bigint`.
    func number(_ sql: String) throws -> Int64? { try meddle(sql).first?.optionalInt(0) }
}

/// Work that runs beside a test. It starts immediately, while an `async let` waits for one of the few threads that all tests share.
///
/// Code that holds a lock while others wait uses its own thread, because a session waits for only ten seconds.
final class BackgroundTask<Answer: Sendable>: Sendable {
    private let answer = Mutex<Result<Answer, any Error>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    /// - Parameter begin: Returns immediately; calls its argument once, with the result.
    init(_ begin: (@escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void) {
        begin { result in
            self.answer.withLock { $0 = result }
            self.end.signal()
        }
    }

    /// Waits for the result, on a thread that may block. Only once.
    func wait() throws -> Answer {
        end.wait()
        guard let answer = answer.withLock({ $0 }) else { throw CancellationError() }
        return try answer.get()
    }

    /// Like ``wait()``, but returns the error; nil on success.
    func waitForError() -> (any Error)? {
        do {
            _ = try wait()
            return nil
        } catch {
            return error
        }
    }
}

/// Runs work on its own thread, which may block.
func onThread<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}

/// Whether a condition becomes true. Blocks the calling thread.
func eventually(_ isTrue: () throws -> Bool) rethrows -> Bool { try Deadline().waits(until: isTrue) }

extension TenantStore {
    /// Starts to save records, each as it is read then.
    func saving(_ names: [Name]) -> BackgroundTask<Void> {
        BackgroundTask { done in
            commit(Notes.reading(names), decide: { .write(try Notes.save(names, from: $0), ()) }, completion: done)
        }
    }
}

/// No session waits for the lock that a test holds.
struct NoWaitingSession: Error {}

extension PostgresTenantStore {
    /// The head of lane 1.
    func head() throws -> HeadRow {
        var set = ReadSet()
        set.databases = [1]
        guard let head = try read(set).databases[0] else { throw StorageError.noSuchTenant }
        return head
    }

    func findings() throws -> [CheckFinding] { try check { _, _ in } }
}
