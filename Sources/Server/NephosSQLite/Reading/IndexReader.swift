import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `indexes`: which indexes a database has.
///
/// One whose shape cannot be read, because it is of an older form, is as good as none: nobody reads or keeps it, and
/// it goes when the next index is opened.
final class IndexReader {
    /// In the order of ``row(_:_:)``.
    static let columns = "index_no, type, state, built_to, created_at, used_at, shape"
    /// How many columns ``row(_:_:)`` looks at; others may follow.
    static let columnCount: Int32 = 7

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
        return try rows(&cursor, database)
    }

    /// The indexes of a type that may be read, by number.
    func ready(_ database: DatabaseNumber, type: TypeNumber) throws(StorageError) -> [IndexRow] {
        var cursor = try ready.start()
        cursor.bind(database)
        cursor.bind(Int64(type))
        return try rows(&cursor, database)
    }

    private func rows(_ cursor: inout Cursor, _ database: DatabaseNumber) throws(StorageError) -> [IndexRow] {
        var rows: [IndexRow] = []
        while try cursor.next() {
            if let row = try Self.row(cursor, database) { rows.append(row) }
        }
        return rows
    }

    /// Indexes whose shapes cannot be read, as dropped ones of some other shape.
    func unreadable(_ database: DatabaseNumber) throws(StorageError) -> [IndexRow] {
        var cursor = try all.start()
        cursor.bind(database)
        var rows: [IndexRow] = []
        while try cursor.next() {
            guard try Self.row(cursor, database) == nil else { continue }
            let shape = IndexShape(type: try cursor.type(1), parts: [.value(.recordName)])
            rows.append(
                IndexRow(
                    database: database, number: cursor.int(0), shape: shape, state: .dropped, createdAt: cursor.int(4),
                    usedAt: cursor.int(5)))
        }
        return rows
    }

    /// Reads ``columns``; nil when the shape cannot be read.
    static func row(_ cursor: borrowing Cursor, _ database: DatabaseNumber) throws(StorageError) -> IndexRow? {
        guard let shape = IndexShape(bytes: cursor.bytes(6)), shape.type == (try cursor.type(1)) else { return nil }
        return IndexRow(
            database: database, number: cursor.int(0), shape: shape, state: try cursor.kind(2, of: IndexRow.State.self),
            builtTo: cursor.int(3), createdAt: cursor.int(4), usedAt: cursor.int(5))
    }
}
