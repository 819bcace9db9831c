/// Converts rows of the source to rows of the target: sealed values are opened, and sealed under the target's key.
///
/// A row with a wrong checksum gets a wrong checksum in the target as well, so that a check still finds it.
struct Resealing: Sendable {
    /// The keys of the source.
    let keys: SecretKeys
    /// The key of the target; nil if its secrets are stored in the clear.
    let key: SecretKey?

    /// Returns the values in the target of a row of any table except heads and the catalog. Secrets that no key opens
    /// are not changed.
    func values(_ row: any AnswerRow, of table: CopiedTable) throws(StorageError) -> [ColumnValue?] {
        guard let rows = table.rows, rows.table.hasSecrets else { return try table.values(row) }
        return try resealed(row, rows)
    }

    private func resealed<Row: StoredRow>(_ row: any AnswerRow, _ rows: Row.Type) throws(StorageError) -> [ColumnValue?]
    {
        var stored = try row.row(rows)
        let damage = row.damage(stored)
        try stored.open(by: keys)
        stored = try stored.sealed(under: key)
        return stored.values + [.int(stored.checksum &+ damage)]
    }

    /// Returns the values of a head in the target.
    ///
    /// - Parameter digest: Returns ``HeadRow/rowsDigest`` in the target for the head in the source.
    func head(_ row: any AnswerRow, digest: (HeadRow) -> Int64) throws(StorageError) -> [ColumnValue?] {
        let table = CopiedTable.heads
        var (values, head) = (try table.values(row), try HeadRow(row))
        let damage = row.int(table.audited.last) &- head.checksum
        head.rowsDigest = digest(head)
        values[try table.place(of: "rows_digest")] = .int(head.rowsDigest)
        values[try table.place(of: "checksum")] = .int(head.checksum &+ damage)
        return values
    }

    /// Returns the values of the catalog's row in the target.
    ///
    /// - Parameter digest: Returns ``CatalogHead/digest`` in the target for the digest in the source.
    /// - Throws: ``StorageError/noKey(_:)`` if the signing key in the row cannot be opened.
    func catalog(_ row: any AnswerRow, digest: (Int64) -> Int64) throws(StorageError) -> [ColumnValue?] {
        let table = CopiedTable.catalog
        var (values, head) = (try table.values(row), try CatalogHead(row))
        let damage = row.int(table.audited.last) &- head.checksum
        head.open(by: keys)
        guard head.isOpen else { throw keys.missing }
        try head.seal(under: key)
        head.digest = digest(head.digest)
        values[try table.place(of: "signing_key")] = .bytes(head.storedKey)
        values[try table.place(of: "secret_key")] = .int(head.sealing.key)
        values[try table.place(of: "file_key")] = .bytes(head.sealing.fileKey)
        values[try table.place(of: "file_place")] = .int(head.sealing.filePlace)
        values[try table.place(of: "digest")] = .int(head.digest)
        values[try table.place(of: "checksum")] = .int(head.checksum &+ damage)
        return values
    }
}

extension AnswerRow {
    /// Returns the difference between the stored checksum of a row and the correct one: 0 for an undamaged row.
    func damage<Row: StoredRow>(_ row: Row) -> Int64 { int(Int32(Row.table.columns.count)) &- row.checksum }
}
