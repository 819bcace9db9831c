import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import TestEngines
import Testing

@testable import NephosPostgres

/// docs/decisions/0052
@Suite("A copy of a whole database") struct CopyTests {
    @Test("into another database", arguments: CopyCase.all)
    func keeps(_ promise: CopyCase) async throws { try await check(promise, .postgres) }

    @Test("into a folder", arguments: CopyCase.all)
    func keepsInFolder(_ promise: CopyCase) async throws { try await check(promise, .sqlite) }

    @Test("A copy neither begins nor ends while a server has leased a job")
    func served() throws {
        let cloud = try Cloud()
        let (before, server) = (try #require(try cloud.engine.reserved()), JobKey("survey", of: "7"))
        let now = Milliseconds(Date().timeIntervalSince1970 * 1_000)
        try cloud.engine.jobs.hold(server, by: 7, until: now + 60_000)
        #expect(try cloud.engine.reserved() == nil)
        #expect(try !before.holds())
        try cloud.engine.jobs.end(server, by: 7, next: nil, progress: [])
        #expect(try before.holds())
        try cloud.engine.jobs.hold(server, by: 7, until: now - 60_000)
        #expect(try before.holds(), "the lease of a server that died is over")
    }

    private func check(_ promise: CopyCase, _ engine: TestEngine) async throws {
        try await promise.check(
            try Tables(CopyCase.tables), into: { try Self.place(engine) }, back: { try Self.place(.postgres) })
    }

    private static func place(_ engine: TestEngine) throws -> CopyTarget {
        let store = try TestStore.withTables(engine)
        return { try store.open(acceptsUnfinishedCopy: $1, tables: $0) }
    }
}
