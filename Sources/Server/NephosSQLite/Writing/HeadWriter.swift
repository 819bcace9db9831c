import NephosStorage

/// Writes of the table `heads`.
struct HeadWriter {
    let connection: Connection

    func insert(_ head: HeadRow) throws(StorageError) { try write(head, Self.insertion) }

    func update(_ head: HeadRow) throws(StorageError) { try write(head, Self.change) }

    private func write(_ head: HeadRow, _ statement: Statement) throws(StorageError) {
        var cursor = try connection.start(statement)
        for number in head.state { cursor.bind(number) }
        cursor.bind(head.checksum)
        cursor.bind(head.database)
        if statement.number == Self.insertion.number {
            cursor.bind(head.kind.rawValue)
            cursor.bind(head.owner)
        }
        try cursor.finish()
    }

    private static let state = HeadRow.stateColumns + ["checksum"]
    private static let insertion = Statement(
        TableSQL.insertion(into: "heads", state + ["db", "kind", "owner"]))
    private static let change = Statement(TableSQL.change(of: "heads", state, key: ["db"]))
}
