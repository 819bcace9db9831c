import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
struct HeadReader {
    let tenant: TenantNumber

    /// Reads the heads of these databases, one call for each, in ascending order; those that do not exist are omitted.
    func heads(_ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try calls(Self.one, databases)
    }

    /// The same, and locks these databases for writing until the transaction ends: each is locked after all below it.
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

    /// ``HeadRow/sharesVersion`` of these databases, one call for each.
    func sharesVersions(_ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try databases.map { database throws(StorageError) in Call(Self.sharesVersion, try tenant.stored(database)) }
    }

    /// One call for each kind of ``AnnexScan/kinds``.
    func annexes(_ scan: AnnexScan) throws(StorageError) -> [Call] {
        try scan.kinds.map { kind throws(StorageError) in
            Call(
                Self.withAnnex, kind.rawValue, try tenant.stored(scan.after), tenant.range.upperBound, Int64(scan.limit)
            )
        }
    }

    func read(_ answers: ArraySlice<Rows>, of scan: AnnexScan) throws(StorageError) -> [HeadRow] {
        var heads: [HeadRow] = []
        for rows in answers { heads += try rows.map { row throws(StorageError) in try HeadRow(row) } }
        return Array(heads.prefix(scan.limit))
    }

    private static let columns = HeadRow.columns.joined(separator: ", ")
    private static let oneSQL = "SELECT \(columns) FROM heads WHERE db = $1"
    private static let one = Statement(oneSQL)
    private static let oneForUpdate = Statement("\(oneSQL) FOR UPDATE")
    private static let sharesVersion = Statement("SELECT shares_version FROM heads WHERE db = $1")
    private static let withAnnex = Statement(
        """
        SELECT \(columns) FROM heads WHERE has_annex = 1 AND kind = $1 AND db > $2 AND db < $3 ORDER BY db LIMIT $4
        """)
}
