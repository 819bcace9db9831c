import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
struct HeadReader {
    let tenant: TenantNumber

    /// Reads the heads of these databases, one call for each, in ascending order; those that are not there are left out.
    func heads(_ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try calls(Self.one, databases)
    }

    /// The same, and keeps all others from writing these databases until the transaction ends: each is locked when all
    /// below it are.
    func headsForUpdate(_ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try calls(Self.oneForUpdate, databases)
    }

    private func calls(_ statement: Statement, _ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try Set(databases).sorted().map { database throws(StorageError) in
            Call(statement, try tenant.stored(database))
        }
    }

    func read(_ answers: ArraySlice<Rows>) throws(StorageError) -> [DatabaseNumber: HeadRow] {
        var heads: [DatabaseNumber: HeadRow] = [:]
        for row in answers.lazy.compactMap(\.first) {
            let head = try HeadRow(row)
            heads[head.database] = head
        }
        return heads
    }

    private static let oneSQL = "SELECT \(HeadRow.columns.joined(separator: ", ")) FROM heads WHERE db = $1"
    private static let one = Statement(oneSQL)
    private static let oneForUpdate = Statement("\(oneSQL) FOR UPDATE")
}
