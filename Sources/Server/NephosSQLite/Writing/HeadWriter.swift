import NephosStorage

/// Writes of the table `heads`.
final class HeadWriter {
    private let insertion: Query
    private let change: Query

    init(_ connection: Connection) {
        let columns = HeadRow.columns + ["checksum"]
        let values = columns.map { _ in "?" }.joined(separator: ",")
        insertion = Query(
            connection, "INSERT INTO heads (\(columns.joined(separator: ", "))) VALUES (\(values))")
        let changes = (HeadRow.stateColumns + ["checksum"]).map { "\($0) = ?" }
        change = Query(connection, "UPDATE heads SET \(changes.joined(separator: ", ")) WHERE db = ?")
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
