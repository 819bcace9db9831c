import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
struct CatalogWriter {
    let connection: Connection
    let tables: TableWriter

    /// Applies changes of the catalog, and updates its row. - Parameter writes: Must touch the catalog.
    func apply(_ writes: WriteSet, to stored: CatalogHead) throws(StorageError) {
        var head = stored
        // A store that never recorded the highest number of a type reads it from the table, before a type can be removed.
        if head.lastType == 0, writes.changesTypes { head.lastType = try highestStoredType() }
        for change in try writes.catalogChanges() { try tables.apply(change) }
        head = try writes.moved(head)
        try update(head)
        if writes.secrets != nil { try updateSecrets(head) }
    }

    private func highestStoredType() throws(StorageError) -> TypeNumber {
        try connection.first(Self.highestType) { row throws(StorageError) in try row.type(0) } ?? 0
    }

    func update(_ head: CatalogHead) throws(StorageError) {
        try connection.run(
            Self.change, head.version, head.lastDatabase, head.deletedAt, head.digest, head.lastType,
            head.endedSessions, head.checksum)
    }

    /// ``update(_:)`` writes the checksum that covers this.
    func updateSecrets(_ head: CatalogHead) throws(StorageError) {
        let sealing = head.sealing
        try connection.run(
            Self.secretChange, head.storedKey, sealing.key, sealing.fileKey, sealing.filePlace, sealing.filesSince)
    }

    /// Marks the tenant as deleted, for every process at its next snapshot.
    func markDeleted(_ stored: CatalogHead, at time: Milliseconds) throws(StorageError) {
        var head = stored
        head.version += 1
        head.deletedAt = max(time, 1)
        try update(head)
    }

    func insert(_ head: CatalogHead) throws(StorageError) {
        // There is one row.
        let (tenant, sealing) = (head.tenant, head.sealing)
        try connection.run(
            Self.insertion, Int64(1), head.version, tenant.container, tenant.environment.rawValue, head.lanes,
            head.lastDatabase, head.createdAt, head.deletedAt, head.digest, head.lastType, head.storedKey, sealing.key,
            sealing.fileKey, sealing.filePlace, sealing.filesSince, head.endedSessions, head.checksum)
    }

    private static let insertion = Statement(
        TableSQL.insertion(into: "catalog", ["id"] + CatalogHead.columns + ["checksum"]))
    private static let change = Statement(
        """
        UPDATE catalog SET version = ?, last_db = ?, deleted_at = ?, digest = ?, last_type = ?, ended_sessions = ?,
            checksum = ?
        """)
    private static let secretChange = Statement(
        "UPDATE catalog SET signing_key = ?, secret_key = ?, file_key = ?, file_place = ?, files_since = ?")
    private static let highestType = Statement("SELECT coalesce(max(type), 0) FROM types")
}
