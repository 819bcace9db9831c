import NephosStorage
import NephosTesting
import StorageConformance

@testable import NephosSQLite

/// The files of their own folder.
struct Tables: StoredTables {
    private let folder: TemporaryFolder
    private let tables: TableSet

    init(_ tables: TableSet = .server) throws {
        self.tables = tables
        folder = try TemporaryFolder()
    }

    func open() throws -> any StorageEngine { try open(tables) }

    func open(_ tables: TableSet) throws -> any StorageEngine {
        var options = SQLiteOptions()
        options.tables = tables
        return try SQLiteEngine(directory: folder.path, options: options)
    }

    func run(_ statements: [String], in place: StoredPlace) throws {
        let data = DataDirectory(folder.path)
        let path = place == .tenant ? data.tenant(.conformance) : data.directoryFile
        let connection = try Connection(path: path, access: .write, settings: damaging)
        try connection.execute((["BEGIN"] + statements + ["COMMIT"]).joined(separator: ";"))
    }

    func number(_ query: String) throws -> Int64? { try reader().number(query) }

    func columnTypes(of table: String) throws -> [(name: String, type: String)] {
        let connection = try reader()
        var cursor = try connection.once("SELECT name, type FROM pragma_table_info('\(table)')")
        var columns: [(name: String, type: String)] = []
        while try cursor.next() { columns.append((cursor.string(0), cursor.string(1))) }
        return columns
    }

    func derivedColumns(in table: String, of value: (String) -> String) -> [String: String] {
        table == "records" ? ["id": RowKey.id(value("db"), value("record_no"))] : [:]
    }

    private func reader() throws -> Connection {
        try Connection(path: DataDirectory(folder.path).tenant(.conformance), access: .read, settings: [])
    }

    func type(_ column: Column) -> String { TableSQL.type(column) }

    var migrations: String { "grdb_migrations" }

    /// All rows of a tenant's file belong to it.
    func isOfTenant(_ table: String) -> String { "true" }

    func another(_ column: String, of table: String) -> String {
        """
        CASE
            WHEN \(column) IS NULL AND '\(column)' = 'share_root' THEN 1
            WHEN \(column) IS NULL THEN 'x'
            WHEN typeof(\(column)) = 'integer' THEN \(column) + 7
            WHEN typeof(\(column)) = 'blob' THEN CAST(x'ff' || coalesce(substr(\(column), 2), '') AS BLOB)
            ELSE \(column) || 'x' END
        """
    }

    func failing(_ table: String) -> [String] {
        ["INSERT", "UPDATE", "DELETE"].map {
            """
            CREATE TRIGGER fail_\(table)_\($0) BEFORE \($0) ON \(table) BEGIN
                UPDATE faults SET rest = rest - 1;
                SELECT RAISE(ABORT, 'a fault') FROM faults WHERE rest < 0;
            END
            """
        }
    }

    func literal(hexadecimal digits: String) -> String { "x'\(digits)'" }
}
