extension TableSet {
    /// Checks the rows of the directory's tables.
    ///
    /// - Returns: The sum of the checksums of all counted ones.
    package func checkDirectory(_ walk: inout some CheckWalk) throws(StorageError) -> Int64 {
        var digest: Int64 = 0
        for (rows, table) in directoryAudits { digest &+= try check(rows, table, &walk) }
        return digest
    }

    private func check<Stored: StoredRow>(
        _ rows: Stored.Type, _ table: AuditedTable, _ walk: inout some CheckWalk
    ) throws(StorageError) -> Int64 {
        var digest: Int64 = 0
        try walk.each(table, isCounted: false) { row, last, findings throws(StorageError) in
            if Stored.table.isCounted { digest &+= row.int(last) }
            findings.judge(
                try row.row(rows), checksum: row.int(last), head: 0, hasPerson: true,
                hasParent: Stored.table.parent == nil || row.int(last + 1) == 1)
        }
        return digest
    }
}
