import StorageConformance
import Synchronization
import Testing

@testable import NephosPostgres

@Suite("The PostgreSQL engine keeps the promises of storage", .serialized) struct ConformanceTests {
    @Test(arguments: StorageCase.all)
    func keeps(_ promise: StorageCase) async throws {
        let engines = try Engines()
        defer { engines.close() }
        try await promise.check { try engines.open() }
    }
}

/// The engines that one promise was checked with, on a schema of their own.
private final class Engines: Sendable {
    private let schema: Schema
    private let opened = Mutex<[PostgresEngine]>([])

    init() throws { schema = try Schema() }

    func open() throws -> PostgresEngine {
        let engine = try PostgresEngine(schema.target)
        opened.withLock { $0.append(engine) }
        return engine
    }

    func close() { for engine in opened.withLock({ $0 }) { engine.close() } }
}
