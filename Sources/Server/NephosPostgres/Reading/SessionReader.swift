import NephosStorage

/// Reads the sessions of devices, which involves two tables.
struct SessionReader {
    let tenant: TenantNumber

    /// One call for each database of devices.
    func calls(of devices: [DeviceKey]) throws(StorageError) -> [Call] {
        try devices.groups(by: \.database).map { database, devices throws(StorageError) in
            let stored = try tenant.stored(database)
            return Call(Self.named, tenant.value, stored, devices.map(\.user), devices.map { $0.id[...] })
        }
    }

    /// Each session once, in any order. - Parameter answers: The results of ``calls(of:)``.
    func read(_ answers: ArraySlice<Rows>) throws(StorageError) -> [SessionRow] {
        var found: [[UInt8]: SessionRow] = [:]
        for rows in answers {
            try rows.forEach { row throws(StorageError) in
                let session = try row.stored(SessionRow.self, tenant)
                found[session.id] = session
            }
        }
        return Array(found.values)
    }

    /// A courier that was registered before the column was added has its session in the column of the secret.
    private static let named = Statement(
        """
        SELECT s.* FROM unnest($3::bytea[], $4::bytea[]) AS k (user_id, id)
        JOIN devices AS d ON d.db = $2 AND d.user_id = k.user_id AND d.id = k.id
        CROSS JOIN LATERAL (
            SELECT \(TableSQL.list(SessionRow.table)) FROM sessions AS t WHERE t.tenant = $1
            AND t.id = CASE WHEN d.session = '\\x' AND d.channel = 1 THEN d.secret ELSE d.session END LIMIT 1
        ) AS s
        """)
}
