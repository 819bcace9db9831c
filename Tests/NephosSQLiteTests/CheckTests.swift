import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Check of a tenant") struct CheckTests {
    @Test(arguments: CheckCase.all)
    func finds(_ damage: CheckCase) async throws { try await damage.check(try Tables()) }

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

/// The files of a folder of their own.
private struct Tables: StoredTables {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func open() throws -> any StorageEngine { try SQLiteEngine(directory: folder.path) }

    func run(_ statements: [String], in place: StoredPlace) throws {
        let data = DataDirectory(folder.path)
        let path = place == .tenant ? data.tenant(CheckCase.tenant) : data.directoryFile
        let connection = try Connection(path: path, access: .write, settings: [])
        try connection.execute((["BEGIN"] + statements + ["COMMIT"]).joined(separator: ";"))
    }

    func columns(of table: String) throws -> [String] {
        let path = DataDirectory(folder.path).tenant(CheckCase.tenant)
        let connection = try Connection(path: path, access: .read, settings: [])
        var cursor = try connection.once("SELECT name FROM pragma_table_info('\(table)')")
        var names: [String] = []
        while try cursor.next() { names.append(cursor.string(0)) }
        return names
    }

    /// All rows of a tenant's file are.
    func isOfTenant(_ table: String) -> String { "true" }

    func another(_ column: String, of table: String) -> String {
        """
        CASE
            WHEN \(column) IS NULL AND '\(column)' = 'share_root' THEN 1
            WHEN \(column) IS NULL THEN 'x'
            WHEN typeof(\(column)) = 'integer' THEN \(column) + 7
            WHEN typeof(\(column)) = 'blob' THEN CAST(x'ff' || substr(\(column), 2) AS BLOB)
            ELSE \(column) || 'x' END
        """
    }

    func literal(hexadecimal digits: String) -> String { "x'\(digits)'" }
}
