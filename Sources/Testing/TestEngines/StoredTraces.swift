import CSQLite
import CloudKitWire
import Foundation
package import NephosStorage
package import NephosTesting

/// Searches every row of every table of a store, as somebody with a copy of it could: for an address, or an ID.
package struct StoredTraces {
    private let database: TestDatabase?
    /// The folder of files.
    private let folder: String
    /// Each in the forms in which it may be stored in a column: its bytes, and its representation in a dump of PostgreSQL.
    private let needles: [(bytes: [UInt8], dumped: [String])]

    /// - Parameters:
    ///   - texts: For example an address.
    ///   - bytes: For example an ID.
    package init(of store: TestStore, texts: [String], bytes: [[UInt8]] = []) {
        self.init(store.database, store.data, texts, bytes)
    }

    private init(_ database: TestDatabase?, _ folder: String, _ texts: [String], _ bytes: [[UInt8]]) {
        (self.database, self.folder) = (database, folder)
        needles =
            texts.map { (Array($0.utf8), [$0, Hexadecimal.text(Array($0.utf8))]) }
            + bytes.map { ($0, [Hexadecimal.text($0)]) }
    }

    /// The traces of a person in all stores: their account, their address, and their user in one environment.
    package init(of store: TestStore, account: AccountRow, user: UserRow) {
        self.init(store.database, store.data, account, user)
    }

    /// The same in a data folder.
    package init(folder: String, account: AccountRow, user: UserRow) { self.init(nil, folder, account, user) }

    private init(_ database: TestDatabase?, _ folder: String, _ account: AccountRow, _ user: UserRow) {
        let name = user.id.recordName
        self.init(
            database, folder, [account.id, account.email, name],
            Hexadecimal.bytes(String(name.dropFirst())).map { [$0] } ?? [])
    }

    /// Tables and columns that contain it, such as `records.created_by`; in no particular order.
    package func places() throws -> Set<String> {
        guard let database else { return try inFiles() }
        return Self.places(in: try database.dump(), of: needles.flatMap(\.dumped))
    }

    // MARK: PostgreSQL

    /// Rows follow `COPY public.table (column, …) FROM stdin;`, up to `\.`, with columns separated by tabs.
    private static func places(in dump: String, of needles: [String]) -> Set<String> {
        var places: Set<String> = []
        let contains = dump.utf8.withContiguousStorageIfAvailable { dump in
            needles.contains { Self.contains(UnsafeRawBufferPointer(dump), Array($0.utf8)) }
        }
        guard contains != false else { return places }
        var (table, columns) = ("", [Substring]())
        for line in dump.split(separator: "\n") {
            if line.hasPrefix("COPY "), let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")") {
                table = String(line[..<open].dropFirst(5).split(separator: ".").last ?? "").filter { $0 != " " }
                columns = line[line.index(after: open)..<close].split(separator: ",")
            } else if line == "\\." {
                table = ""
            } else if !table.isEmpty, needles.contains(where: { line.contains($0) }) {
                for (column, value) in zip(columns, line.split(separator: "\t", omittingEmptySubsequences: false))
                where needles.contains(where: { value.contains($0) }) {
                    places.insert("\(table).\(column.filter { $0 != " " })")
                }
            }
        }
        return places
    }

    // MARK: Files

    private func inFiles() throws -> Set<String> {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var places: Set<String> = []
        for name in names where name.hasSuffix(".sqlite") { try look(into: "\(folder)/\(name)", &places) }
        return places
    }

    private func look(into path: String, _ places: inout Set<String>) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw SystemError("opening \(path)", code: EIO)
        }
        var tables: [String] = []
        try each("SELECT name FROM sqlite_schema WHERE type = 'table'", connection) { row in
            tables.append(String(decoding: Self.bytes(row, 0), as: UTF8.self))
        }
        for table in tables {
            try each("SELECT * FROM \"\(table)\"", connection) { row in
                for column in 0..<sqlite3_column_count(row) {
                    let bytes = UnsafeRawBufferPointer(
                        start: sqlite3_column_blob(row, column), count: Int(sqlite3_column_bytes(row, column)))
                    guard needles.contains(where: { Self.contains(bytes, $0.bytes) }) else { continue }
                    places.insert("\(table).\(String(cString: sqlite3_column_name(row, column)))")
                }
            }
        }
    }

    private func each(_ query: String, _ connection: OpaquePointer?, _ body: (OpaquePointer) -> Void) throws {
        var row: OpaquePointer?
        defer { sqlite3_finalize(row) }
        guard sqlite3_prepare_v2(connection, query, -1, &row, nil) == SQLITE_OK, let row else {
            throw SystemError("\(query): \(String(cString: sqlite3_errmsg(connection)))", code: EIO)
        }
        while true {
            switch sqlite3_step(row) {
            case SQLITE_ROW: body(row)
            case SQLITE_DONE: return
            default: throw SystemError("\(query): \(String(cString: sqlite3_errmsg(connection)))", code: EIO)
            }
        }
    }

    /// Faster by far than what collections have for it: tests search all that they have stored after each step.
    private static func contains(_ bytes: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
        guard var start = bytes.baseAddress, let first = needle.first else { return false }
        let end = start + bytes.count
        while end - start >= needle.count, let hit = memchr(start, Int32(first), end - start - needle.count + 1) {
            if memcmp(hit, needle, needle.count) == 0 { return true }
            start = UnsafeRawPointer(hit) + 1
        }
        return false
    }

    private static func bytes(_ row: OpaquePointer, _ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(row, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column))))
    }
}
