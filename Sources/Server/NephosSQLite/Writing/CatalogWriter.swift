import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens, keys and sessions.
final class CatalogWriter {
    private let headInsertion: Query
    private let headChange: Query
    private let deletionMark: Query
    private let highestType: Query
    private let tables: TableWriter

    init(_ connection: Connection, _ tables: TableWriter) {
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
        self.tables = tables
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
            try tables.apply(RowChange(write))
            head.digest &-= write.old?.checksum ?? 0
            head.digest &+= write.new?.checksum ?? 0
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
}
