import CloudKitWire
import NephosStorage

/// Reads of users, and of sessions in orders of their own.
struct PeopleReader {
    let tenant: TenantNumber

    // MARK: Sessions

    /// One call; of devices, one for each of their databases.
    func sessions(_ scan: SessionScan) throws(StorageError) -> [Call] {
        switch scan {
        case .unrevoked(let user, let limit):
            let call = Call(Self.unrevokedSessions) {
                $0.add(tenant.value)
                $0.add(user)
                $0.add(Int64(limit))
            }
            return [call]
        case .ofDevices(let keys):
            return try keys.groups(by: \.database).map { database, keys throws(StorageError) in
                let stored = try tenant.stored(database)
                return Call(Self.sessionsOfDevices) {
                    $0.add(tenant.value)
                    $0.add(stored)
                    $0.add(users: keys.map(\.user))
                    $0.add(pieces: keys.map { $0.id[...] })
                }
            }
        }
    }

    /// Each once: several devices may come with one.
    ///
    /// - Parameter answers: Those of ``sessions(_:)-(SessionScan)``.
    func sessions(_ answers: ArraySlice<Rows>) throws(StorageError) -> [SessionRow] {
        var found: Set<[UInt8]> = []
        var sessions: [SessionRow] = []
        for rows in answers {
            try rows.forEach { row throws(StorageError) in
                let session = try row.stored(SessionRow.self, tenant)
                if found.insert(session.id).inserted { sessions.append(session) }
            }
        }
        return sessions
    }

    private static let session =
        "SELECT \(TableSQL.list(SessionRow.table)) FROM sessions AS t WHERE t.tenant = $1"
    private static let unrevokedSessions = Statement(
        "\(session) AND t.user_id = $2 AND t.revoked_at = 0 ORDER BY t.expires_at DESC, t.id DESC LIMIT $3")
    /// A courier that was registered before the column came has it where webhooks have their secret.
    private static let sessionsOfDevices = Statement(
        """
        SELECT s.* FROM unnest($3::bytea[], $4::bytea[]) AS k (user_id, id)
        JOIN devices AS d ON d.db = $2 AND d.user_id = k.user_id AND d.id = k.id
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
