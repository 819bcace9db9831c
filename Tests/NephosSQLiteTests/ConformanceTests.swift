import NephosSQLite
import StorageConformance
import Testing

@Suite("The SQLite engine keeps the promises of storage") struct ConformanceTests {
    @Test(arguments: StorageCase.all)
    func keeps(_ promise: StorageCase) async throws {
        let folder = try TemporaryFolder()
        try await promise.check { try SQLiteEngine(directory: folder.path) }
    }
}
