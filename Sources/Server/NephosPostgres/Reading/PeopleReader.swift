import CloudKitWire
import NephosStorage

/// Reads of users, and of sessions in orders of their own.
struct PeopleReader {
    let tenant: TenantNumber

    // MARK: Sessions

    func sessions(_ scan: SessionScan) throws(StorageError) -> Call {
        switch scan {
        case .unrevoked(let user, let limit):
            return Call(Self.unrevokedSessions) {
                $0.add(tenant.value)
                $0.add(user)
                $0.add(Int64(limit))
            }
        case .ofDevices(let keys):
            let stored = try keys.map { key throws(StorageError) in try tenant.stored(key.database) }
            return Call(Self.sessionsOfDevices) {
                $0.add(tenant.value)
                $0.add(numbers: stored)
                $0.add(users: keys.map(\.user))
                $0.add(pieces: keys.map { $0.id[...] })
            }
        }
    }

    /// Each once: several devices may come with one.
    func sessions(_ rows: Rows) throws(StorageError) -> [SessionRow] {
        var found: Set<[UInt8]> = []
        return try rows.map { row throws(StorageError) in try row.stored(SessionRow.self, tenant) }
            .filter { found.insert($0.id).inserted }
    }

    private static let session =
        "SELECT \(TableSQL.list(SessionRow.table)) FROM sessions AS t WHERE t.tenant = $1"
    private static let unrevokedSessions = Statement(
        "\(session) AND t.user_id = $2 AND t.revoked_at = 0 ORDER BY t.expires_at DESC, t.id DESC LIMIT $3")
    /// A courier that was registered before the column came has it where webhooks have their secret.
    private static let sessionsOfDevices = Statement(
        """
        SELECT s.* FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS k (db, user_id, id)
        JOIN devices AS d ON d.db = k.db AND d.user_id = k.user_id AND d.id = k.id
        CROSS JOIN LATERAL (
            \(session)
            AND t.id = CASE WHEN d.session = '\\x' AND d.channel = 1 THEN d.secret ELSE d.session END LIMIT 1
        ) AS s
        """)

    // MARK: Users

    /// Looks users up: one call for all ids, one for all accounts and keys.
    func users(_ keys: [UserKey]) throws(StorageError) -> [Call] {
        let tables = TableReader(tenant: tenant, isForUpdate: false)
        let (ids, sources) = (UserRow.keyed(keys.compactMap(\.id)), UserRow.from(keys.compactMap(\.source)))
        var calls: [Call] = []
        if !ids.isEmpty { calls.append(try tables.call(ids)) }
        if !sources.isEmpty { calls.append(try tables.call(sources)) }
        return calls
    }

    /// - Parameter answers: Those of ``users(_:)``.
    func users(_ answers: ArraySlice<Rows>, keys: [UserKey]) throws(StorageError) -> [UserRow?] {
        var found: [UserKey: UserRow] = [:]
        for rows in answers {
            try rows.forEach { row throws(StorageError) in
                let user = try row.stored(UserRow.self, tenant)
                found[.id(user.id)] = user
                found[.source(user.source, user.sourceID)] = user
            }
        }
        return keys.map { found[$0] }
    }
}

extension UserKey {
    fileprivate var id: UserID? {
        if case .id(let id) = self { id } else { nil }
    }

    fileprivate var source: (source: UserRow.Source, id: String)? {
        if case .source(let source, let id) = self { (source, id) } else { nil }
    }
}
