import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
struct HeadReader {
    let tenant: TenantNumber

    /// Reads the heads of these databases, by number; those that are not there are left out.
    func heads(_ databases: [DatabaseNumber]) throws(StorageError) -> Call {
        try call(Self.some, databases)
    }

    /// The same, and keeps all others from writing these databases until the transaction ends.
    func headsForUpdate(_ databases: [DatabaseNumber]) throws(StorageError) -> Call {
        try call(Self.someForUpdate, databases)
    }

    private func call(_ statement: Statement, _ databases: [DatabaseNumber]) throws(StorageError) -> Call {
        var stored: [Int64] = []
        for database in databases { stored.append(try tenant.stored(database)) }
        return Call(statement) { $0.add(numbers: stored) }
    }

    func read(_ rows: Rows) throws(StorageError) -> [DatabaseNumber: HeadRow] {
        var heads: [DatabaseNumber: HeadRow] = [:]
        try rows.forEach { row throws(StorageError) in
            let head = try HeadRow(row)
            heads[head.database] = head
        }
        return heads
    }

    private static let columns = HeadRow.columns.joined(separator: ", ")
    private static let someSQL = "SELECT \(columns) FROM heads WHERE db = ANY($1::bigint[]) ORDER BY db"
    private static let some = Statement(someSQL)
    private static let someForUpdate = Statement("\(someSQL) FOR UPDATE")
}
