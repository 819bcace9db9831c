import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import TestEngines
import Testing

@testable import NephosSQLite

/// docs/decisions/0052
@Suite("A copy of a whole folder") struct CopyTests {
    @Test(arguments: CopyCase.all)
    func keeps(_ promise: CopyCase) async throws {
        try await promise.check(try Tables(CopyCase.tables), into: Self.place, back: Self.place)
    }

    @Test("A file of the first version is migrated before it is copied")
    func oldFile() throws {
        let cloud = try Cloud()
        cloud.engine.close()
        for end in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: cloud.file + end) {
            try FileManager.default.removeItem(atPath: cloud.file + end)
        }
        try OldStore.write(to: cloud.file)
        let source = try SQLiteEngine(directory: cloud.folder.path)
        defer { source.close() }
        let place = try Self.place()
        let engine = try place(.server, true)
        defer { engine.close() }
        let copy = try StoreCopy(from: source, to: try #require(engine.copying))
        #expect(try copy.begin() == .begun)
        try copy.copyRows { _, _, _ in }
        // As whoever copies its files does.
        _ = try source.open(Cloud.tenant)
        let comparison = try copy.compare { _, _ in }
        #expect(comparison.differences == [])
        #expect(try copy.isSourceUnchanged(since: comparison))
        #expect(try engine.open(Cloud.tenant)?.check { _, _ in } == [])
    }

    @Test("A folder in use by a server cannot be copied")
    func served() throws {
        let cloud = try Cloud()
        let server = try cloud.engine.lockForServing()
        #expect(try cloud.engine.reserved() == nil)
        withExtendedLifetime(server) {}
    }

    @Sendable private static func place() throws -> CopyTarget {
        let store = try TestStore(.sqlite)
        return { try store.open(acceptsUnfinishedCopy: $1, tables: $0) }
    }
}
