import NephosStorage

/// Writes of the table `heads`.
final class HeadWriter {
    private let insertion: Query
    private let change: Query

    init(_ connection: Connection) {
        insertion = Query(connection, TableSQL.insertion(into: "heads", HeadRow.columns + ["checksum"]))
        change = Query(
            connection, TableSQL.change(of: "heads", HeadRow.stateColumns + ["checksum"], key: ["db"]))
    }

    func insert(_ head: HeadRow) throws(StorageError) {
        var cursor = try insertion.start()
        cursor.bind(head.database)
        cursor.bind(head.kind.rawValue)
        cursor.bind(head.owner)
        bindState(of: head, to: &cursor)
        try cursor.finish()
    }

    func update(_ head: HeadRow) throws(StorageError) {
        var cursor = try change.start()
        bindState(of: head, to: &cursor)
        cursor.bind(head.database)
        try cursor.finish()
    }

    private func bindState(of head: HeadRow, to cursor: inout Cursor) {
        for number in head.state { cursor.bind(number) }
        cursor.bind(head.checksum)
    }
}
