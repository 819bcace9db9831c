import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens, keys and sessions.
final class CatalogWriter {
    private let connection: Connection
    private let headInsertion: Query
    private let headChange: Query
    private let deletionMark: Query
    private let highestType: Query
    private let insertions: CatalogTables
    private let removals: CatalogTables

    init(_ connection: Connection) {
        self.connection = connection
        headInsertion = Query(
            connection,
            """
            INSERT INTO catalog (
                id, version, container, environment, lanes, last_db, signing_key, created_at, deleted_at, digest,
                last_type, checksum
            ) VALUES (1,?,?,?,?,?,?,?,?,?,?,?)
            """)
        headChange = Query(
            connection, "UPDATE catalog SET version = ?, last_db = ?, last_type = ?, digest = ?, checksum = ?")
        deletionMark = Query(connection, "UPDATE catalog SET version = ?, deleted_at = ?, checksum = ?")
        highestType = Query(connection, "SELECT coalesce(max(type), 0) FROM types")
        insertions = CatalogTables(insertingInto: connection)
        removals = CatalogTables(removingFrom: connection)
    }

    /// Applies changes of the catalog, and moves its row: the version when remembered catalogs become wrong, the
    /// digest with every row, the last database number with new databases.
    func apply(
        _ writes: [CatalogWrite], newDatabases: Int64, to stored: CatalogHead
    ) throws(StorageError) {
        guard !writes.isEmpty || newDatabases > 0 else { return }
        var head = stored
        head.lastDatabase += newDatabases
        try raiseLastType(of: &head, for: writes)
        for write in writes {
            if let old = write.old {
                try remove(old)
                head.digest &-= old.checksum
            }
            if let new = write.new {
                try insert(new)
                head.digest &+= new.checksum
            }
        }
        if writes.contains(where: \.changesVersion) { head.version += 1 }
        var cursor = try headChange.start()
        cursor.bind(head.version)
        cursor.bind(head.lastDatabase)
        cursor.bind(Int64(head.lastType))
        cursor.bind(head.digest)
        cursor.bind(head.checksum)
        try cursor.finish()
    }

    /// Keeps the highest number that a type ever had. A store that never knew it asks its table, before the first
    /// type can go.
    private func raiseLastType(of head: inout CatalogHead, for writes: [CatalogWrite]) throws(StorageError) {
        for write in writes {
            guard case .type(let row)? = write.new ?? write.old else { continue }
            if head.lastType == 0 { head.lastType = try highestStoredType() }
            if write.new != nil { head.lastType = max(head.lastType, row.number) }
        }
    }

    private func highestStoredType() throws(StorageError) -> TypeNumber {
        var cursor = try highestType.start()
        return try cursor.next() ? try cursor.type(0) : 0
    }

    /// Marks the tenant as deleted, for every process at its next snapshot.
    func markDeleted(_ stored: CatalogHead, at time: Milliseconds) throws(StorageError) {
        var head = stored
        head.version += 1
        head.deletedAt = max(time, 1)
        var cursor = try deletionMark.start()
        cursor.bind(head.version)
        cursor.bind(head.deletedAt)
        cursor.bind(head.checksum)
        try cursor.finish()
    }

    func insert(_ head: CatalogHead) throws(StorageError) {
        var cursor = try headInsertion.start()
        cursor.bind(head.version)
        cursor.bind(head.tenant.container)
        cursor.bind(head.tenant.environment.rawValue)
        cursor.bind(head.lanes)
        cursor.bind(head.lastDatabase)
        cursor.bind(blob: head.signingKey)
        cursor.bind(head.createdAt)
        cursor.bind(head.deletedAt)
        cursor.bind(head.digest)
        cursor.bind(Int64(head.lastType))
        cursor.bind(head.checksum)
        try cursor.finish()
    }

    func insert(_ row: CatalogRow) throws(StorageError) {
        var cursor = try insertions.query(row).start()
        cursor.bindKey(of: row)
        cursor.bindState(of: row)
        cursor.bind(row.checksum)
        try cursor.finish()
    }

    /// Removes a row that is stored just as `row` says.
    private func remove(_ row: CatalogRow) throws(StorageError) {
        var cursor = try removals.query(row).start()
        cursor.bindKey(of: row)
        cursor.bind(row.checksum)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("the row of the catalog to change is not there") }
    }
}

/// One statement for each table of the catalog. Parameters: the key, the other columns (insertions), the checksum.
private struct CatalogTables {
    private let types, fields, roles, grants, tokens, keys, sessions, pushKeys: Query

    init(insertingInto connection: Connection) {
        types = Query(connection, "INSERT INTO types (type, name, epoch, checksum) VALUES (?,?,?,?)")
        fields = Query(
            connection,
            "INSERT INTO fields (type, name, kind, encrypted, options, epoch, checksum) VALUES (?,?,?,?,?,?,?)")
        roles = Query(connection, "INSERT INTO roles (role, name, checksum) VALUES (?,?,?)")
        grants = Query(connection, "INSERT INTO grants (type, role, rights, checksum) VALUES (?,?,?,?)")
        tokens = Query(
            connection, "INSERT INTO api_tokens (hash, name, created_at, revoked_at, checksum) VALUES (?,?,?,?,?)")
        keys = Query(
            connection,
            """
            INSERT INTO server_keys (id, public_key, user_id, created_at, revoked_at, name, checksum)
            VALUES (?,?,?,?,?,?,?)
            """)
        sessions = Query(
            connection,
            """
            INSERT INTO sessions (id, user_id, private_db, secret, created_at, expires_at, revoked_at, checksum)
            VALUES (?,?,?,?,?,?,?,?)
            """)
        pushKeys = Query(
            connection,
            """
            INSERT INTO push_keys (development, team, key_id, topic, pem, created_at, checksum) VALUES (?,?,?,?,?,?,?)
            """)
    }

    init(removingFrom connection: Connection) {
        types = Query(connection, "DELETE FROM types WHERE type = ? AND checksum = ?")
        fields = Query(connection, "DELETE FROM fields WHERE type = ? AND name = ? AND checksum = ?")
        roles = Query(connection, "DELETE FROM roles WHERE role = ? AND checksum = ?")
        grants = Query(connection, "DELETE FROM grants WHERE type = ? AND role = ? AND checksum = ?")
        tokens = Query(connection, "DELETE FROM api_tokens WHERE hash = ? AND checksum = ?")
        keys = Query(connection, "DELETE FROM server_keys WHERE id = ? AND checksum = ?")
        sessions = Query(connection, "DELETE FROM sessions WHERE id = ? AND checksum = ?")
        pushKeys = Query(connection, "DELETE FROM push_keys WHERE development = ? AND checksum = ?")
    }

    func query(_ row: CatalogRow) -> Query {
        switch row {
        case .type: types
        case .field: fields
        case .role: roles
        case .grant: grants
        case .token: tokens
        case .key: keys
        case .session: sessions
        case .pushKey: pushKeys
        }
    }
}

extension Cursor {
    fileprivate mutating func bindKey(of row: CatalogRow) {
        switch row {
        case .type(let row): bind(Int64(row.number))
        case .field(let row):
            bind(Int64(row.type))
            bind(row.name)
        case .role(let row): bind(row.number)
        case .grant(let row):
            bind(Int64(row.type))
            bind(row.role)
        case .token(let row): bind(blob: row.hash)
        case .key(let row): bind(row.id)
        case .session(let row): bind(blob: row.id)
        case .pushKey(let row): bind(row.isDevelopment ? 1 : 0)
        }
    }

    fileprivate mutating func bindState(of row: CatalogRow) {
        switch row {
        case .type(let row):
            bind(row.name)
            bind(row.epoch)
        case .field(let row):
            bind(row.kind.rawValue)
            bind(row.isEncrypted ? 1 : 0)
            bind(row.options.rawValue)
            bind(row.epoch)
        case .role(let row): bind(row.name)
        case .grant(let row): bind(row.rights.rawValue)
        case .token(let row):
            bind(row.name)
            bind(row.createdAt)
            bind(row.revokedAt)
        case .key(let row):
            bind(blob: row.publicKey)
            bind(row.user)
            bind(row.createdAt)
            bind(row.revokedAt)
            bind(row.name)
        case .session(let row):
            bind(row.user)
            bind(row.privateDatabase)
            bind(blob: row.secret)
            bind(row.createdAt)
            bind(row.expiresAt)
            bind(row.revokedAt)
        case .pushKey(let row):
            for text in [row.team, row.keyID, row.topic, row.pem] { bind(text) }
            bind(row.createdAt)
        }
    }
}
