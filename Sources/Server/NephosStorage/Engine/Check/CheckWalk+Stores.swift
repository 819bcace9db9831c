/// The checks that all engines share.
extension CheckWalk {
    /// Compares all data of a tenant with its checksums, counters and digest.
    ///
    /// - Parameter indexes: Called to check indexes and their entries.
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    package mutating func checkTenant(
        _ tenant: Tenant, _ tables: TableSet, indexes: (inout Self) throws(StorageError) -> Void
    ) throws(StorageError) {
        try count(tables)
        let catalog = try checkCatalog(of: tenant)
        var check = DatabaseCheck(knowsTables: tables.knowsTables(of: try steps()))
        try check.run(&self, tables, catalog, checkIndexes: indexes)
    }

    /// Checks the row of the catalog.
    ///
    /// - Returns: The row; nil if it cannot be read.
    private mutating func checkCatalog(of tenant: Tenant) throws(StorageError) -> CatalogHead? {
        var (rows, found) = (0, CatalogHead?.none)
        try each(.catalog, isCounted: false) { row, last, findings throws(StorageError) in
            rows += 1
            do throws(StorageError) {
                let head = try CatalogHead(row)
                guard head.deletedAt == 0 else { throw StorageError.noSuchTenant }
                findings.examine(
                    head, of: tenant, checksum: row.int(last), highestType: row.int(last + 1),
                    highestEnd: row.optionalInt(last + 2) ?? 0)
                found = head
            } catch {
                guard case .corrupt(let what) = error else { throw error }
                findings.add("catalog", "row 1: \(what)")
            }
        }
        findings.expect(rows == 1, "catalog", "has \(rows) rows, not 1")
        return found
    }

    /// Compares the directory's tables with their checksums and their digest.
    ///
    /// - Returns: The IDs of the listed containers.
    package mutating func checkDirectory(_ tables: TableSet) throws(StorageError) -> Set<String> {
        // No row of the directory belongs to a database.
        var counts = DatabaseCounts(knowsTables: false)
        let digest = try check(tables.directoryAudits, isCounted: false, &counts)
        let knowsTables = tables.knowsTables(of: try steps())
        var rows = 0
        try each(.meta, isCounted: false) { row, last, findings throws(StorageError) in
            rows += 1
            guard knowsTables else { return }
            findings.examineDirectoryDigest(ofRow: row.int(0), stored: row.int(last), found: digest)
        }
        findings.expect(rows == 1, "meta", "has \(rows) rows, not 1")
        var listed: Set<String> = []
        try each(.containers, isCounted: false) { row, _, _ throws(StorageError) in listed.insert(row.string(0)) }
        return listed
    }

    // MARK: Described tables

    /// Checks the rows of described tables, and counts them for the heads of their databases.
    ///
    /// - Returns: The sum of the checksums of all rows that a digest covers.
    mutating func check(
        _ audits: [(rows: any StoredRow.Type, table: AuditedTable)], isCounted: Bool = true,
        _ counts: inout DatabaseCounts
    ) throws(StorageError) -> Int64 {
        var digest: Int64 = 0
        for (rows, table) in audits { try check(rows, table, isCounted: isCounted, &counts, &digest) }
        return digest
    }

    private mutating func check<Stored: StoredRow>(
        _ rows: Stored.Type, _ audited: AuditedTable, isCounted: Bool, _ counts: inout DatabaseCounts,
        _ digest: inout Int64
    ) throws(StorageError) {
        let table = Stored.table
        try each(audited, isCounted: isCounted) { row, last, findings throws(StorageError) in
            // The checksum is added before the row is read: a row that cannot be read is one finding, and must not
            // cause another.
            if table.isInDigest { digest &+= row.int(last) }
            let stored = try row.row(rows)
            if !table.isInDigest, stored.isInDigest { digest &+= row.int(last) }
            if table.isCounted, let database = stored.database {
                stored.count(in: &counts[database].head, times: 1, checksum: stored.checksum)
            }
            if table === LeftDatabaseRow.table, let left = stored as? LeftDatabaseRow { counts.leave(left.number) }
            let hasHead = table.owner == .database
            let person = last + (hasHead ? 2 : 1)
            let parent = table.user == nil ? person : person + 1
            findings.examine(
                stored, checksum: row.int(last), head: hasHead ? row.int(last + 1) : 0,
                hasPerson: table.user == nil || row.int(person) == 1,
                hasParent: table.parent == nil || row.int(parent) == 1)
        }
    }
}
