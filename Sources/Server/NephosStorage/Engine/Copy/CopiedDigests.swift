import CloudKitWire

/// Computes the digests of a copy. Digests are sums of checksums, and a row whose secrets are sealed again has another
/// checksum.
struct CopiedDigests {
    /// Whether the sums are of all copied rows. If not, they are differences that are added to the digests of the
    /// source, so that a row that is missing in the source is missing in the copy as well, and a check finds it.
    private let isWhole: Bool
    private var ofTenant: Int64 = 0
    private var ofHeads: [DatabaseNumber: Int64] = [:]

    /// - Parameters:
    ///   - tables: The tables that were copied. Only described tables are used.
    ///   - isWhole: Whether digests are computed from all rows. Required if the source has tables that were not copied,
    ///     because the digests of the source cover their rows.
    init(
        _ tables: [CopiedTable], from source: any CopyTables, to target: any CopyTables, isWhole: Bool
    ) throws(StorageError) {
        self.isWhole = isWhole
        for table in tables {
            guard let rows = table.rows, isWhole || rows.table.hasSecrets else { continue }
            try add(rows, of: table, in: target, times: 1)
            if !isWhole { try add(rows, of: table, in: source, times: -1) }
        }
    }

    /// Returns the digest of the catalog, or of the directory, in the copy.
    ///
    /// - Parameter source: The digest in the source.
    func ofTenant(_ source: Int64) -> Int64 { isWhole ? ofTenant : source &+ ofTenant }

    /// Returns ``HeadRow/rowsDigest`` in the copy.
    ///
    /// - Parameter head: The head in the source.
    func ofHead(_ head: HeadRow) -> Int64 {
        let sum = ofHeads[head.database] ?? 0
        return isWhole ? sum : head.rowsDigest &+ sum
    }

    private mutating func add<Row: StoredRow>(
        _ rows: Row.Type, of table: CopiedTable, in tables: any CopyTables, times: Int64
    ) throws(StorageError) {
        let description = Row.table
        try tables.rows(of: table) { row throws(StorageError) in
            let (stored, checksum) = (try row.row(rows), row.int(table.audited.last))
            if description.isCounted, let database = stored.database {
                var counts = HeadRow(database: database, kind: .personal, owner: nil)
                stored.count(in: &counts, times: times, checksum: checksum)
                ofHeads[database, default: 0] &+= counts.rowsDigest
            } else if stored.isInDigest {
                ofTenant &+= times &* checksum
            }
        }
    }
}
