import CloudKitWire

/// A summary of the contents of a table, for comparing the table with its copy: the number of rows, and the sum, modulo
/// 2^64, of the hashes of their values. Opened secrets are hashed, so that the result does not depend on the key under
/// which they are sealed.
package struct TableSum: Sendable, Equatable {
    package private(set) var rows = 0
    private var digest: Int64 = 0
    /// The number of rows with a secret that no key opens.
    package private(set) var closed = 0

    init(of table: CopiedTable, in tables: any CopyTables, _ keys: SecretKeys) throws(StorageError) {
        try tables.rows(of: table) { row throws(StorageError) in
            rows += 1
            var hash = Checksum()
            for value in try values(row, of: table, keys) { value.add(to: &hash) }
            digest &+= hash.value
        }
    }

    private mutating func values(
        _ row: any AnswerRow, of table: CopiedTable, _ keys: SecretKeys
    ) throws(StorageError) -> [ColumnValue?] {
        if let rows = table.rows, rows.table.hasSecrets { return try opened(row, rows, keys) }
        let others = table.columnsOfOneStore
        var values = zip(table.columns, try table.values(row)).filter { !others.contains($0.0.name) }.map(\.1)
        if table.name == CopiedTable.catalog.name {
            var head = try CatalogHead(row)
            head.open(by: keys)
            values += [.bytes(head.signingKey), .bytes(head.addressKey), .int(head.filePlace)]
        }
        return values
    }

    private mutating func opened<Row: StoredRow>(
        _ row: any AnswerRow, _ rows: Row.Type, _ keys: SecretKeys
    ) throws(StorageError) -> [ColumnValue?] {
        var stored = try row.row(rows)
        let damage = row.damage(stored)
        try stored.open(by: keys)
        if stored.hasClosedSecret { closed += 1 }
        var columns = ColumnValues(opensSecrets: true)
        stored.visit(&columns)
        return columns.values + [.int(damage)]
    }
}

extension CopiedTable {
    /// The columns that depend on how secrets are sealed, and are not compared as stored. A check verifies that they
    /// are correct.
    fileprivate var columnsOfOneStore: Set<String> {
        switch name {
        case CopiedTable.heads.name: ["rows_digest", "checksum"]
        case CopiedTable.catalog.name: ["signing_key", "secret_key", "file_key", "file_place", "digest", "checksum"]
        default: []
        }
    }
}

extension Optional<ColumnValue> {
    fileprivate func add(to hash: inout Checksum) {
        switch self {
        case .int(let number), .database(let number): hash.add(number)
        case .user(let user): hash.add(user)
        case .text(let text): hash.add(text.utf8)
        case .utf8(let bytes): hash.add(bytes)
        case .bytes(let bytes): hash.add(bytes)
        case nil: hash.addNothing()
        }
    }
}
