import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import TestEngines

@testable import NephosPostgres

/// The tables in a database of one test's own, gone when the test is over.
final class Schema: Sendable {
    let target: ConnectionTarget
    private let store: TestStore
    private let connection: Mutex<Connection>

    init() throws {
        store = try TestStore.withTables(.postgres)
        target = try ConnectionTarget(url: store.url ?? "")
        connection = Mutex(try Connection(target))
    }

    /// An engine with few connections: many tests run at once.
    func open(_ tables: TableSet = .server) throws -> PostgresEngine {
        var options = PostgresOptions.ofTests
        options.tables = tables
        options.connections = 4
        return try PostgresEngine(target, options: options)
    }

    /// Runs statements behind the engines' backs, all or none. - Returns: What the last one answers.
    @discardableResult
    func run(_ statements: [String]) throws -> Rows {
        try connection.withLock { connection throws(StorageError) in
            guard let rows = try connection.run(statements.map { Call(Statement($0)) }).last else {
                throw .failed("a statement has no answer")
            }
            return UncheckedRows(rows: rows)
        }.rows
    }

    /// An answer that leaves its connection's lock: from then on one thread has it.
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

/// A container in a schema of its own, with the type `Note` and a zone to write in.
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
        try Notes.makeContainer(container, in: engine)
    }

    /// Another engine on the same schema, as another process would have one.
    func anotherEngine() throws -> PostgresEngine { try schema.open() }

    func store(_ engine: PostgresEngine? = nil, container: String = container) throws -> PostgresTenantStore {
        let store = try (engine ?? self.engine).open(Tenant(container: container, environment: .development))
        guard let store = store as? PostgresTenantStore else { throw StorageError.noSuchTenant }
        return store
    }

    /// Runs statements behind the engine's back, all or none. - Returns: What the last one answers.
    @discardableResult
    func meddle(_ statements: String...) throws -> Rows { try schema.run(statements) }

    /// Returns once another session waits for a lock of this one. - Throws: ``NobodyWaits``.
    func waitUntilSomebodyWaits(for session: WriteSession) throws {
        let own = try session.transaction.run(Statement("SELECT pg_backend_pid()::bigint")).first?.int(0) ?? 0
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE \(own) = ANY (pg_blocking_pids(pid))"
        guard try eventually({ try number(sql) ?? 0 > 0 }) else { throw NobodyWaits() }
    }

    /// What a statement answers in its only column, a `bigint`.
    func number(_ sql: String) throws -> Int64? { try meddle(sql).first?.optionalInt(0) }
}

/// Work that goes on beside a test. It begins at once, while an `async let` waits for one of the few threads that all tests
/// share.
///
/// Who holds a lock while others wait does so on a thread of its own: a session waits for ten seconds only.
final class Beside<Answer: Sendable>: Sendable {
    private let answer = Mutex<Result<Answer, any Error>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    /// - Parameter begin: Returns at once; what it is given is called once, with what came of it.
    init(_ begin: (@escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void) {
        begin { result in
            self.answer.withLock { $0 = result }
            self.end.signal()
        }
    }

    /// Waits for the answer, on a thread that may wait. Only once.
    func wait() throws -> Answer {
        end.wait()
        guard let answer = answer.withLock({ $0 }) else { throw CancellationError() }
        return try answer.get()
    }

    /// ``wait()`` for what it failed with; nil when it went through.
    func waitForError() -> (any Error)? {
        do {
            _ = try wait()
            return nil
        } catch {
            return error
        }
    }
}

/// Does something on a thread of its own, which may wait.
func onThread<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}

/// Whether something comes true within a minute. Waits on the thread that asks.
func eventually(_ isTrue: () throws -> Bool) rethrows -> Bool { try Deadline(seconds: 60).waits(until: isTrue) }

extension TenantStore {
    /// Begins to save records, each as it is read then.
    func saving(_ names: [Name]) -> Beside<Void> {
        Beside { done in
            commit(Notes.reading(names), decide: { .write(try Notes.save(names, from: $0), ()) }, completion: done)
        }
    }
}

/// No session waits for the lock that a test holds.
struct NobodyWaits: Error {}

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
