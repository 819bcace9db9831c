import NephosStorage

/// Writes of the table `heads`.
struct HeadWriter {
    let connection: Connection

    func insert(_ head: HeadRow) throws(StorageError) { try write(head, Self.insertion) }

    /// A statement that may move a row in an index writes the index even if the row does not move: one more page of the log.
    ///
    /// - Parameter isWrittenAgain: Whether this transaction has written the row before, so that its annex may differ from what was read.
    func update(_ head: HeadRow, isWrittenAgain: Bool = false) throws(StorageError) {
        let annexComesOrGoes = isWrittenAgain || head.hasStoredAnnex != head.annex.isFound
        try write(head, annexComesOrGoes ? Self.changeOfIndex : Self.change)
    }

    func remove(_ database: DatabaseNumber) throws(StorageError) {
        var cursor = try connection.start(Self.removal)
        cursor.bind(database)
        try cursor.finish()
    }

    private func write(_ head: HeadRow, _ statement: Statement) throws(StorageError) {
        var cursor = try connection.start(statement)
        for number in head.state { cursor.bind(number) }
        cursor.bind(blob: head.annex.stored)
        cursor.bind(head.checksum)
        if statement.number != Self.change.number { cursor.bind(head.annex.isFound ? 1 : 0) }
        cursor.bind(head.database)
        if statement.number == Self.insertion.number {
            cursor.bind(head.kind.rawValue)
            cursor.bind(head.owner)
        }
        try cursor.finish()
    }

    private static let state = HeadRow.stateColumns + ["annex", "checksum"]
    private static let insertion = Statement(
        TableSQL.insertion(into: "heads", state + ["has_annex", "db", "kind", "owner"]))
    private static let change = Statement(TableSQL.change(of: "heads", state, key: ["db"]))
    private static let removal = Statement("DELETE FROM heads WHERE db = ?")
    private static let changeOfIndex = Statement(TableSQL.change(of: "heads", state + ["has_annex"], key: ["db"]))
}
