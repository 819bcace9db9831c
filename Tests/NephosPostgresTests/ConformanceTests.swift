import Foundation
import NephosTesting
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
    private let target: ConnectionTarget
    private let opened = Mutex<[PostgresEngine]>([])

    init() throws {
        let url = ProcessInfo.processInfo.environment["NEPHOS_TEST_POSTGRES"] ?? ""
        guard !url.isEmpty else { throw NoTestPostgres() }
        target = try ConnectionTarget(url: url, schema: "case_\(UInt64.random(in: .min ... .max))")
    }

    func open() throws -> PostgresEngine {
        let engine = try PostgresEngine(target)
        opened.withLock { $0.append(engine) }
        return engine
    }

    func close() {
        for engine in opened.withLock({ $0 }) { engine.close() }
        // One that cannot be dropped goes with its server.
        _ = try? Connection(target).run([Call(Statement(#"DROP SCHEMA "\#(target.schema)" CASCADE"#))])
    }
}
