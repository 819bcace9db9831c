import NephosStorage

/// Writes of the table `credential_uses`. Servers write it at the same time, so rows are taken in the order of their keys.
struct CredentialUseWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    func note(_ rows: [CredentialUseRow]) {
        guard !rows.isEmpty else { return }
        // Of one key the last day: a statement touches a row once.
        let days = Dictionary(rows.map { ($0.key, $0) }) { $0.day > $1.day ? $0 : $1 }
        let rows = days.values.sorted { $0.key < $1.key }
        transaction.later(Self.note) {
            $0.add(tenant.value)
            $0.add(numbers: rows.map(\.key.kind.rawValue))
            $0.add(pieces: rows.map { $0.key.id[...] })
            $0.add(numbers: rows.map(\.day))
            $0.add(numbers: rows.map(\.checksum))
        }
    }

    func forget(_ keys: [CredentialKey]) {
        guard !keys.isEmpty else { return }
        let keys = keys.sorted()
        transaction.later(Self.removal) {
            $0.add(tenant.value)
            $0.add(numbers: keys.map(\.kind.rawValue))
            $0.add(pieces: keys.map { $0.id[...] })
        }
    }

    private static let note = Statement(
        """
        INSERT INTO credential_uses (tenant, kind, id, day, checksum)
        SELECT $1, new.* FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[]) AS new (kind, id, day, checksum)
        ON CONFLICT (tenant, kind, id) DO UPDATE SET day = excluded.day, checksum = excluded.checksum
        WHERE excluded.day > credential_uses.day
        """)
    private static let removal = Statement(
        """
        DELETE FROM credential_uses AS u USING unnest($2::bigint[], $3::bytea[]) AS old (kind, id)
        WHERE u.tenant = $1 AND u.kind = old.kind AND u.id = old.id
        """)
}
