import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `indexes`: which indexes a database has.
final class IndexReader {
    private static let columns = IndexRow.columns.joined(separator: ", ")
    private let all: Query
    private let ready: Query

    init(_ connection: Connection) {
        all = Query(connection, Self.all)
        ready = Query(connection, Self.ready)
    }

    static let all = "SELECT \(columns) FROM indexes WHERE db = ? ORDER BY index_no"
    static let ready = """
        SELECT \(columns) FROM indexes
        WHERE db = ? AND type = ? AND state = \(IndexRow.State.ready.rawValue) ORDER BY index_no
        """

    /// All indexes of a database, by number.
    func list(_ database: DatabaseNumber) throws(StorageError) -> [IndexRow] {
        var cursor = try all.start()
        cursor.bind(database)
        return try rows(&cursor)
    }

    /// The indexes of a type that may be read, by number.
    func ready(_ database: DatabaseNumber, type: TypeNumber) throws(StorageError) -> [IndexRow] {
        var cursor = try ready.start()
        cursor.bind(database)
        cursor.bind(Int64(type))
        return try rows(&cursor)
    }

    private func rows(_ cursor: inout Cursor) throws(StorageError) -> [IndexRow] {
        var rows: [IndexRow] = []
        while try cursor.next() {
            if let row = try IndexRow(readable: cursor) { rows.append(row) }
        }
        return rows
    }

    /// Indexes whose shapes cannot be read, as dropped ones of some other shape.
    func unreadable(_ database: DatabaseNumber) throws(StorageError) -> [IndexRow] {
        var cursor = try all.start()
        cursor.bind(database)
        var rows: [IndexRow] = []
        while try cursor.next() {
            if let row = try IndexRow(unreadable: cursor) { rows.append(row) }
        }
        return rows
    }
}
