/// Makes of rows as one store has them the rows of another: what is sealed is opened, and sealed under the other's key.
///
/// A row whose checksum is wrong gets a wrong one there, so that a check finds it still.
struct Resealing: Sendable {
    /// Of the store that is copied.
    let keys: SecretKeys
    /// Of the one that is filled; nil where that is in the clear.
    let key: SecretKey?

    /// What a row becomes that is neither of heads nor of the catalog. What no key opens stays as it is.
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

    /// What the row of a head becomes.
    ///
    /// - Parameter digest: ``HeadRow/rowsDigest`` by what it was.
    func head(_ row: any AnswerRow, digest: (HeadRow) -> Int64) throws(StorageError) -> [ColumnValue?] {
        let table = CopiedTable.heads
        var (values, head) = (try table.values(row), try HeadRow(row))
        let damage = row.int(table.audited.last) &- head.checksum
        head.rowsDigest = digest(head)
        values[try table.place(of: "rows_digest")] = .int(head.rowsDigest)
        values[try table.place(of: "checksum")] = .int(head.checksum &+ damage)
        return values
    }

    /// What the row of the catalog becomes.
    ///
    /// - Parameter digest: ``CatalogHead/digest`` by what it was.
    /// - Throws: ``StorageError/noKey(_:)`` where its signing key cannot be opened.
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
    /// What its stored checksum is more than the one that it should have: 0 for a row that is whole.
    func damage<Row: StoredRow>(_ row: Row) -> Int64 { int(Int32(Row.table.columns.count)) &- row.checksum }
}
