import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `indexes`: which indexes a database has.
struct IndexReader {
    let tenant: TenantNumber

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
        try rows.map { row throws(StorageError) in try IndexRow(readable: row) }.compactMap { $0 }
    }

    /// The rows whose shapes cannot be read, as dropped indexes of some other shape.
    func unreadable(_ rows: Rows) throws(StorageError) -> [IndexRow] {
        try rows.map { row throws(StorageError) in try IndexRow(unreadable: row) }.compactMap { $0 }
    }

    /// All indexes of a database, by number.
    func list(_ database: DatabaseNumber, _ transaction: Transaction) throws(StorageError) -> [IndexRow] {
        let answers = try transaction.run([all(database)])
        return try answers.first.map { rows throws(StorageError) in try list(rows) } ?? []
    }

    private static let columns = IndexRow.columns.joined(separator: ", ")
    private static let all = Statement("SELECT \(columns) FROM indexes WHERE db = $1 ORDER BY index_no")
    private static let ready = Statement(
        """
        SELECT \(columns) FROM indexes
        WHERE db = $1 AND type = $2 AND state = \(IndexRow.State.ready.rawValue) ORDER BY index_no
        """)
}
