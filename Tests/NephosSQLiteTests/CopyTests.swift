import NephosTesting
import StorageConformance
import TestEngines
import Testing

/// docs/decisions/0052
@Suite("A copy of a whole folder") struct CopyTests {
    @Test(arguments: CopyCase.all)
    func keeps(_ promise: CopyCase) async throws {
        try await promise.check(try Tables(CopyCase.tables), into: Self.place, back: Self.place)
    }

    @Sendable private static func place() throws -> CopyTarget {
        let store = try TestStore(.sqlite)
        return { try store.open(acceptsUnfinishedCopy: $1, tables: $0) }
    }
}
