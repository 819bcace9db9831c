import NephosStorage

/// Pages of the records of a database by number.
struct WalkReader {
    let tenant: TenantNumber

    func page(_ walk: RecordWalk) throws(StorageError) -> Call {
        Call(
            Self.page, try tenant.stored(walk.database), walk.above, walk.through, walk.limit.oneMore,
            Int64(walk.byteLimit))
    }

    /// - Parameter rows: The result of ``page(_:)``.
    func read(_ rows: Rows, _ walk: RecordWalk) throws(StorageError) -> WalkPage {
        var limiter = PageLimiter(walk)
        let page = RecordPage(rows, tenant)
        var records: [RecordRow] = []
        for index in 0..<rows.count {
            // A row without fields did not fit.
            guard limiter.admit(matches: true, bytes: Int(rows[index].int(RecordColumns.size))) == .take,
                !rows[index].isNull(RecordColumns.fields)
            else { return WalkPage(records: records, position: records.last?.number ?? walk.above) }
            records.append(try page.record(index))
        }
        return WalkPage(records: records, position: max(walk.above, walk.through))
    }

    /// Rows that fit in the byte limit, and the first row, include their fields.
    private static let page = Statement(
        """
        SELECT \(RecordColumns.list(of: "r", fields: "CASE WHEN total <= $5 OR total = size THEN fields END")) FROM (
            SELECT *, (sum(size) OVER (ORDER BY record_no ROWS UNBOUNDED PRECEDING))::bigint AS total FROM (
                SELECT * FROM records WHERE db = $1 AND record_no > $2 AND record_no <= $3 ORDER BY record_no LIMIT $4
            ) AS page
        ) AS r ORDER BY record_no
        """)
}
