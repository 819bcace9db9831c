import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Check of a tenant") struct CheckTests {
    @Test(arguments: CheckCase.all)
    func finds(_ damage: CheckCase) async throws { try await damage.check(try Tables()) }

    @Test("finds a record under the key of another (docs/decisions/0011)")
    func key() async throws {
        let cloud = try Cloud()
        try await cloud.store().save(["a", "b"])
        #expect(try cloud.store().check { _, _ in } == [])
        try cloud.meddle("UPDATE records SET id = id + 1 WHERE name = 'b'")
        let findings = try cloud.store().check { _, _ in }.map(\.description)
        #expect(findings.contains("records: record 2 of database 1: it is stored under the key of another record"))
    }

    @Test("finds pages that SQLite cannot read")
    func pages() async throws {
        let cloud = try Cloud()
        try await cloud.store().save(["a", "b"])
        let path = cloud.file
        cloud.engine.close()
        let root = try Connection(path: path, access: .read, settings: []).number(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'records'")
        try overwrite(path, at: (try #require(root) - 1) * Int64(Tuning.pageSize))
        let again = try SQLiteEngine(directory: cloud.folder.path)
        defer { again.close() }
        #expect(try cloud.store(again).check { _, _ in } != [])
    }
}
