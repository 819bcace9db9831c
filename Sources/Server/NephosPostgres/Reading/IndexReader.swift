import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `indexes`: which indexes a database has.
///
/// One whose shape cannot be read, because it is of an older form, is as good as none: nobody reads or keeps it, and
/// it goes when the next index is opened.
struct IndexReader {
    let tenant: TenantNumber

    /// Columns of an index, in the order of ``read(_:)``.
    static let columns = "db, index_no, type, state, built_to, created_at, used_at, shape"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 8

    /// Reads a row that begins with ``columns``; nil when the shape cannot be read.
    func read(_ row: Row) throws(StorageError) -> IndexRow? {
        guard let shape = IndexShape(bytes: row.bytes(7)), shape.type == (try row.type(2)) else { return nil }
        return try read(row, shape)
    }

    private func read(_ row: Row, _ shape: IndexShape) throws(StorageError) -> IndexRow {
        IndexRow(
            database: tenant.database(row.int(0)), number: row.int(1), shape: shape,
            state: try row.kind(3, of: IndexRow.State.self), builtTo: row.int(4), createdAt: row.int(5),
            usedAt: row.int(6))
    }

    /// All indexes of a database, by number.
    func all(_ database: DatabaseNumber) throws(StorageError) -> Call {
        let stored = try tenant.stored(database)
        return Call(Self.all) { $0.add(stored) }
    }

    /// The indexes of a type that may be read, by number.
    func ready(_ database: DatabaseNumber, type: TypeNumber) throws(StorageError) -> Call {
        let stored = try tenant.stored(database)
        return Call(Self.ready) {
            $0.add(stored)
            $0.add(Int64(type))
        }
    }

    /// The rows whose shapes can be read.
    func list(_ rows: Rows) throws(StorageError) -> [IndexRow] {
        var indexes: [IndexRow] = []
        try rows.forEach { row throws(StorageError) in
            if let index = try read(row) { indexes.append(index) }
        }
        return indexes
    }

    /// The rows whose shapes cannot be read, as dropped indexes of some other shape.
    func unreadable(_ rows: Rows) throws(StorageError) -> [IndexRow] {
        var indexes: [IndexRow] = []
        try rows.forEach { row throws(StorageError) in
            guard try read(row) == nil else { return }
            var index = try read(row, IndexShape(type: try row.type(2), parts: [.value(.recordName)]))
            index.state = .dropped
            index.builtTo = 0
            indexes.append(index)
        }
        return indexes
    }

    /// All indexes of a database, by number.
    func list(_ database: DatabaseNumber, _ transaction: Transaction) throws(StorageError) -> [IndexRow] {
        let answers = try transaction.run([all(database)])
        return try answers.first.map { rows throws(StorageError) in try list(rows) } ?? []
    }

    private static let all = Statement("SELECT \(columns) FROM indexes WHERE db = $1 ORDER BY index_no")
    private static let ready = Statement(
        """
        SELECT \(columns) FROM indexes
        WHERE db = $1 AND type = $2 AND state = \(IndexRow.State.ready.rawValue) ORDER BY index_no
        """)
}
