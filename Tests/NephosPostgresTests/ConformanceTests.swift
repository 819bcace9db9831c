import StorageConformance
import Synchronization
import Testing

@testable import NephosPostgres

/// In two rows in parallel: while one waits for PostgreSQL, the other runs. Running all at once would need more sessions than a
/// server has.
@Suite("The PostgreSQL engine fulfills the storage contract") struct ConformanceTests {
    @Suite(.serialized) struct Odd {
        @Test(arguments: half(1)) func keeps(_ promise: StorageCase) async throws { try await prove(promise) }
    }

    @Suite(.serialized) struct Even {
        @Test(arguments: half(0)) func keeps(_ promise: StorageCase) async throws { try await prove(promise) }
    }

    private static func half(_ rest: Int) -> [StorageCase] {
        StorageCase.all.enumerated().filter { $0.offset % 2 == rest }.map(\.element)
    }

    private static func prove(_ promise: StorageCase) async throws {
        let engines = try Engines()
        defer { engines.close() }
        try await promise.check { try engines.open() }
    }
}

/// The engines with which one promise was checked, on their own schema.
private final class Engines: Sendable {
    private let schema: Schema
    private let opened = Mutex<[PostgresEngine]>([])

    init() throws { schema = try Schema() }

    func open() throws -> PostgresEngine {
        let engine = try PostgresEngine(schema.target, options: .ofTests)
        opened.withLock { $0.append(engine) }
        return engine
    }

    func close() { for engine in opened.withLock({ $0 }) { engine.close() } }
}
