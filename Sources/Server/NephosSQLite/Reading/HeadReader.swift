import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
final class HeadReader {
    private let byNumber: Query

    init(_ connection: Connection) {
        byNumber = Query(connection, "SELECT \(HeadRow.columns.joined(separator: ", ")) FROM heads WHERE db = ?")
    }

    func head(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? {
        var cursor = try byNumber.start()
        cursor.bind(database)
        return try cursor.next() ? try HeadRow(cursor) : nil
    }
}
