import NephosStorage

/// Reads of the table `credential_uses`.
struct CredentialUseReader {
    let tenant: TenantNumber

    /// In the order of ``row(_:)``.
    static let columns = "kind, id, day"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 3

    func rows(_ keys: [CredentialKey]) -> Call {
        Call(Self.keyed) {
            $0.add(tenant.value)
            $0.add(numbers: keys.map(\.kind.rawValue))
            $0.add(pieces: keys.map { $0.id[...] })
        }
    }

    func read(_ rows: Rows, keys: [CredentialKey]) throws(StorageError) -> [CredentialUseRow?] {
        var found: [CredentialKey: CredentialUseRow] = [:]
        try rows.forEach { row throws(StorageError) in
            let use = try Self.row(row)
            found[use.key] = use
        }
        return keys.map { found[$0] }
    }

    /// Reads ``columns``.
    static func row(_ row: Row) throws(StorageError) -> CredentialUseRow {
        CredentialUseRow(
            key: CredentialKey(try row.kind(0, of: CredentialKey.Kind.self), row.bytes(1)), day: row.int(2))
    }

    private static let keyed = Statement(
        """
        SELECT u.* FROM unnest($2::bigint[], $3::bytea[]) AS key (kind, id)
        CROSS JOIN LATERAL (
            SELECT \(columns) FROM credential_uses WHERE tenant = $1 AND kind = key.kind AND id = key.id LIMIT 1
        ) AS u
        """)
}
