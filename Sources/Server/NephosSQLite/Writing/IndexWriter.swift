import CloudKitWire
import NephosQueries
import NephosStorage

/// Writes of the table `indexes`.
final class IndexWriter {
    private let connection: Connection
    private let insertion: Query
    private let change: Query
    private let removal: Query

    init(_ connection: Connection) {
        self.connection = connection
        let (state, key) = (["state", "built_to", "used_at", "checksum"], ["db", "index_no"])
        insertion = Query(
            connection, TableSQL.insertion(into: "indexes", state + key + ["type", "created_at", "shape"]))
        change = Query(connection, TableSQL.change(of: "indexes", state, key: key))
        removal = Query(connection, "DELETE FROM indexes WHERE db = ? AND index_no = ?")
    }

    func insert(_ index: IndexRow) throws(StorageError) {
        var cursor = try insertion.start()
        bindState(of: index, to: &cursor)
        cursor.bind(index.database)
        cursor.bind(index.number)
        cursor.bind(Int64(index.shape.type))
        cursor.bind(index.createdAt)
        cursor.bind(blob: index.shape.bytes)
        try cursor.finish()
    }

    func update(_ index: IndexRow) throws(StorageError) {
        var cursor = try change.start()
        bindState(of: index, to: &cursor)
        cursor.bind(index.database)
        cursor.bind(index.number)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("index \(index.number) to change is not there") }
    }

    /// Removes an index that has no entries any more.
    func remove(_ index: IndexNumber, in database: DatabaseNumber) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(database)
        cursor.bind(index)
        try cursor.finish()
    }

    private func bindState(of index: IndexRow, to cursor: inout Cursor) {
        cursor.bind(index.state.rawValue)
        cursor.bind(index.builtTo)
        cursor.bind(index.usedAt)
        cursor.bind(index.checksum)
    }
}
