import CloudKitWire
import NephosStorage

/// Reads of the table `cascades`.
final class CascadeReader {
    private let first: Query

    init(_ connection: Connection) {
        first = Query(connection, "SELECT db, zone_no, target, seq FROM cascades ORDER BY db, zone_no, target LIMIT ?")
    }

    func pending(max: Int) throws(StorageError) -> [PendingCascadeRow] {
        var cursor = try first.start()
        cursor.bind(Int64(max))
        var rows: [PendingCascadeRow] = []
        while try cursor.next() {
            rows.append(
                PendingCascadeRow(
                    database: cursor.int(0), zone: cursor.int(1), target: cursor.name(2), sequence: cursor.int(3)))
        }
        return rows
    }
}
