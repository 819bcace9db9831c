import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
struct HeadReader {
    let connection: Connection

    func head(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? {
        try connection.first(Self.byNumber, database) { row throws(StorageError) in try HeadRow(row) }
    }

    /// ``HeadRow/sharesVersion``; nil if there is no such database.
    func sharesVersion(_ database: DatabaseNumber) throws(StorageError) -> Int64? {
        try connection.first(Self.sharesVersion, database) { row throws(StorageError) in row.int(0) }
    }

    func annexes(_ scan: AnnexScan) throws(StorageError) -> [HeadRow] {
        var heads: [HeadRow] = []
        for kind in scan.kinds where heads.count < scan.limit {
            heads += try connection.rows(
                Self.withAnnex, kind.rawValue, scan.after, Int64(scan.limit - heads.count)
            ) { row throws(StorageError) in try HeadRow(row) }
        }
        return heads
    }

    private static let columns = HeadRow.columns.joined(separator: ", ")
    private static let byNumber = Statement("SELECT \(columns) FROM heads WHERE db = ?")
    private static let sharesVersion = Statement("SELECT shares_version FROM heads WHERE db = ?")
    private static let withAnnex = Statement(
        """
        SELECT \(columns) FROM heads INDEXED BY heads_annex WHERE has_annex = 1 AND kind = ? AND db > ?
        ORDER BY db LIMIT ?
        """)
}
