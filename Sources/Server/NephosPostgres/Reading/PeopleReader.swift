import CloudKitWire
import NephosStorage

/// Reads of users and sessions.
struct PeopleReader {
    let tenant: TenantNumber

    // MARK: Sessions

    func sessions(_ ids: [[UInt8]]) -> Call {
        Call(Self.sessions) {
            $0.add(tenant.value)
            $0.add(pieces: ids.map { $0[...] })
        }
    }

    func sessions(_ rows: Rows, ids: [[UInt8]]) throws(StorageError) -> [SessionRow?] {
        let found = try rows.map { row throws(StorageError) in try CatalogTable.session(row) }
        return ids.map { id in found.first { $0.id == id } }
    }

    private static let sessions = Statement(
        """
        SELECT s.* FROM unnest($2::bytea[]) AS key (id)
        CROSS JOIN LATERAL (\(CatalogTable.sessions.query()) AND id = key.id LIMIT 1) AS s
        """)

    func sessions(_ scan: SessionScan) throws(StorageError) -> Call {
        switch scan {
        case .of(let user, let limit):
            return Call(Self.sessionsOfUser) {
                $0.add(tenant.value)
                $0.add(user)
                $0.add(Int64(limit))
            }
        case .unrevoked(let user, let limit):
            return Call(Self.unrevokedSessions) {
                $0.add(tenant.value)
                $0.add(user)
                $0.add(Int64(limit))
            }
        case .newest(let limit):
            return Call(Self.newestSessions) {
                $0.add(tenant.value)
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
        case .expired(let time, let limit):
            return Call(Self.expiredSessions) {
                $0.add(tenant.value)
                $0.add(time)
                $0.add(Int64(limit))
            }
        }
    }

    /// Each once: several devices may come with one.
    func sessions(_ rows: Rows) throws(StorageError) -> [SessionRow] {
        var found: Set<[UInt8]> = []
        return try rows.map { row throws(StorageError) in try CatalogTable.session(row) }
            .filter { found.insert($0.id).inserted }
    }

    private static let sessionsOfUser = Statement(
        "\(CatalogTable.sessions.query()) AND user_id = $2 ORDER BY expires_at DESC, id DESC LIMIT $3")
    private static let unrevokedSessions = Statement(
        """
        \(CatalogTable.sessions.query()) AND user_id = $2 AND revoked_at = 0
        ORDER BY expires_at DESC, id DESC LIMIT $3
        """)
    private static let newestSessions = Statement(
        "\(CatalogTable.sessions.query()) ORDER BY expires_at DESC, id DESC LIMIT $2")
    private static let expiredSessions = Statement(
        "\(CatalogTable.sessions.query()) AND expires_at < $2 ORDER BY expires_at, id LIMIT $3")
    /// A courier that was registered before the column came has it where webhooks have their secret.
    private static let sessionsOfDevices = Statement(
        """
        SELECT s.* FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS k (db, user_id, id)
        JOIN devices AS d ON d.db = k.db AND d.user_id = k.user_id AND d.id = k.id
        CROSS JOIN LATERAL (
            \(CatalogTable.sessions.query())
            AND id = CASE WHEN d.session = '\\x' AND d.channel = 1 THEN d.secret ELSE d.session END LIMIT 1
        ) AS s
        """)

    // MARK: Users

    /// Columns of a user, in the order of ``user(_:)``.
    static let userColumns = "id, source, source_id, private_db, created_at"
    /// How many there are; others may follow.
    static let userColumnCount: Int32 = 5

    static func user(_ row: Row) throws(StorageError) -> UserRow {
        UserRow(
            id: try row.user(0), source: try row.kind(1, of: UserRow.Source.self), sourceID: row.string(2),
            privateDatabase: row.int(3), createdAt: row.int(4))
    }

    /// Looks users up: one call for all ids, one for all accounts and keys.
    func users(_ keys: [UserKey]) -> [Call] {
        var calls: [Call] = []
        let ids = keys.compactMap(\.id)
        if !ids.isEmpty {
            calls.append(
                Call(Self.byID) {
                    $0.add(tenant.value)
                    $0.add(users: ids)
                })
        }
        let sources = keys.compactMap(\.source)
        if !sources.isEmpty {
            calls.append(
                Call(Self.bySource) {
                    $0.add(tenant.value)
                    $0.add(numbers: sources.map(\.kind.rawValue))
                    $0.add(texts: sources.map(\.id))
                })
        }
        return calls
    }

    /// - Parameter answers: Those of ``users(_:)``.
    func users(_ answers: ArraySlice<Rows>, keys: [UserKey]) throws(StorageError) -> [UserRow?] {
        var found: [UserKey: UserRow] = [:]
        for rows in answers {
            try rows.forEach { row throws(StorageError) in
                let user = try Self.user(row)
                found[.id(user.id)] = user
                found[.source(user.source, user.sourceID)] = user
            }
        }
        return keys.map { found[$0] }
    }

    private static let byID = Statement(
        """
        SELECT u.* FROM unnest($2::bytea[]) AS key (id)
        CROSS JOIN LATERAL (SELECT \(userColumns) FROM users WHERE tenant = $1 AND id = key.id LIMIT 1) AS u
        """)
    private static let bySource = Statement(
        """
        SELECT u.* FROM unnest($2::bigint[], $3::text[]) AS key (kind, name)
        CROSS JOIN LATERAL (
            SELECT \(userColumns) FROM users WHERE tenant = $1 AND source = key.kind AND source_id = key.name LIMIT 1
        ) AS u
        """)
}

extension UserKey {
    fileprivate var id: UserID? {
        if case .id(let id) = self { id } else { nil }
    }

    fileprivate var source: (kind: UserRow.Source, id: String)? {
        if case .source(let kind, let id) = self { (kind, id) } else { nil }
    }
}
