import CloudKitWire

/// What digests come to in a copy. They sum up checksums, and a row that was sealed anew has another one.
struct CopiedDigests {
    /// Whether the sums are of all rows. Else they are what is added to what the source says, so that a row which was missing there is
    /// missing in the copy, and a check finds it.
    private let isWhole: Bool
    private var ofTenant: Int64 = 0
    private var ofHeads: [DatabaseNumber: Int64] = [:]

    /// - Parameters:
    ///   - tables: Described ones, which were copied.
    ///   - isWhole: The source has tables that were not copied, and its digests have their rows.
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

    /// The digest of the catalog, or of the directory. - Parameter source: What it was.
    func ofTenant(_ source: Int64) -> Int64 { isWhole ? ofTenant : source &+ ofTenant }

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
