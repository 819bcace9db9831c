/// The amount of data that one transaction of a copy writes. A page ends when it has reached one of these limits.
package struct CopyLimits: Sendable {
    package var rows = 1_000
    /// The number of bytes of values of variable length.
    package var bytes = 4 << 20

    package init() {}
}

/// Copies the tables of one place, the directory or a tenant, page by page, each page in a transaction of its own.
///
/// Its progress is not stored separately: rows are copied in the order of the key, so an interrupted copy continues
/// after the last row in the target.
struct PlaceCopy {
    let source: any CopyTables
    let target: any CopyTables
    let resealing: Resealing
    let limits: CopyLimits
    /// Called with the name of the table and the number of added rows, after each transaction that has added rows.
    let didWrite: (String, Int) throws(StorageError) -> Void

    /// Copies the tables of a tenant.
    ///
    /// - Parameters:
    ///   - tables: The value of ``TableSet/copied``.
    ///   - isWhole: See ``CopiedDigests``.
    func copyTenant(_ tables: [CopiedTable], isWhole: Bool) throws(StorageError) {
        let content = tables.filter { ![CopiedTable.heads.name, CopiedTable.catalog.name].contains($0.name) }
        for table in content { try copy(table) }
        let digests = try CopiedDigests(content, from: source, to: target, isWhole: isWhole)
        try copy(.heads) { row throws(StorageError) in try resealing.head(row, digest: digests.ofHead) }
        try copy(.catalog) { row throws(StorageError) in try resealing.catalog(row, digest: digests.ofTenant) }
    }

    /// Copies the tables of the directory.
    ///
    /// - Parameters:
    ///   - tables: The value of ``TableSet/copiedOfDirectory``.
    ///   - isWhole: See ``CopiedDigests``.
    /// - Returns: The digest of the copy.
    func copyDirectory(_ tables: [CopiedTable], isWhole: Bool) throws(StorageError) -> Int64 {
        for table in tables { try copy(table) }
        let digests = try CopiedDigests(tables, from: source, to: target, isWhole: isWhole)
        return digests.ofTenant(try source.directoryDigest())
    }

    private func copy(_ table: CopiedTable) throws(StorageError) {
        try copy(table) { row throws(StorageError) in try resealing.values(row, of: table) }
    }

    private func copy(
        _ table: CopiedTable, _ values: (any AnswerRow) throws(StorageError) -> [ColumnValue?]
    ) throws(StorageError) {
        // The target may order text differently: such a table is read from its beginning again, and rows that already
        // exist in the target are skipped.
        let last = table.isOrderedByText ? nil : try target.lastKey(of: table)
        var (page, bytes) = ([[ColumnValue?]](), 0)
        try source.rows(of: table, after: last) { row throws(StorageError) in
            let new = try values(row)
            bytes += new.reduce(0) { $0 + ($1?.byteCount ?? 0) }
            page.append(new)
            guard page.count >= limits.rows || bytes >= limits.bytes else { return }
            try put(&page, into: table)
            bytes = 0
        }
        try put(&page, into: table)
    }

    private func put(_ page: inout [[ColumnValue?]], into table: CopiedTable) throws(StorageError) {
        guard !page.isEmpty else { return }
        let count = try target.insert(page, into: table)
        page.removeAll(keepingCapacity: true)
        if count > 0 { try didWrite(table.name, count) }
    }
}

extension CopyTables {
    /// Returns the digest in the row of `meta`.
    ///
    /// - Throws: ``StorageError/corrupt(_:)`` if the row is missing.
    func directoryDigest() throws(StorageError) -> Int64 {
        var digest: Int64?
        let meta = CopiedTable.meta
        try rows(of: meta) { row throws(StorageError) in digest = row.int(meta.audited.last) }
        guard let digest else { throw .corrupt("meta: the row is missing") }
        return digest
    }
}

extension ColumnValue {
    /// The number of bytes of a value of variable length; 0 for other values.
    fileprivate var byteCount: Int {
        switch self {
        case .int, .database, .user: 0
        case .text(let text): text.utf8.count
        case .utf8(let bytes): bytes.count
        case .bytes(let bytes): bytes.count
        }
    }
}
