import NephosTesting
import StorageConformance
import TestEngines
import Testing

/// docs/decisions/0052
@Suite("A copy of a whole database") struct CopyTests {
    @Test("into another database", arguments: CopyCase.all)
    func keeps(_ promise: CopyCase) async throws { try await check(promise, .postgres) }

    @Test("into a folder", arguments: CopyCase.all)
    func keepsInFolder(_ promise: CopyCase) async throws { try await check(promise, .sqlite) }

    private func check(_ promise: CopyCase, _ engine: TestEngine) async throws {
        try await promise.check(
            try Tables(CopyCase.tables), into: { try Self.place(engine) }, back: { try Self.place(.postgres) })
    }

    private static func place(_ engine: TestEngine) throws -> CopyTarget {
        let store = try TestStore.withTables(engine)
        return { try store.open(acceptsUnfinishedCopy: $1, tables: $0) }
    }
}
