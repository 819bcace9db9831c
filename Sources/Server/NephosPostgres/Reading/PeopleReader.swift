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
