import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
struct HeadReader {
    let connection: Connection

    func head(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? {
        try connection.first(Self.byNumber, database) { row throws(StorageError) in try HeadRow(row) }
    }

    private static let byNumber = Statement(
        "SELECT \(HeadRow.columns.joined(separator: ", ")) FROM heads WHERE db = ?")
}
