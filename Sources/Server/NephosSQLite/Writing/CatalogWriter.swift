import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
final class CatalogWriter {
    private let headInsertion: Query
    private let headChange: Query
    private let secretChange: Query
    private let highestType: Query
    private let tables: TableWriter

    init(_ connection: Connection, _ tables: TableWriter) {
        headInsertion = Query(
            connection, TableSQL.insertion(into: "catalog", ["id"] + CatalogHead.columns + ["checksum"]))
        headChange = Query(
            connection,
            "UPDATE catalog SET version = ?, last_db = ?, deleted_at = ?, digest = ?, last_type = ?, checksum = ?")
        secretChange = Query(
            connection,
            "UPDATE catalog SET signing_key = ?, secret_key = ?, file_key = ?, file_place = ?, files_since = ?")
        highestType = Query(connection, "SELECT coalesce(max(type), 0) FROM types")
        self.tables = tables
    }

    /// Applies changes of the catalog, and moves its row.
    func apply(_ writes: WriteSet, to stored: CatalogHead) throws(StorageError) {
        guard writes.touchesCatalog else { return }
        var head = stored
        // A store that never knew the highest number of a type asks its table, before the first type can go.
        if head.lastType == 0, writes.changesTypes { head.lastType = try highestStoredType() }
        for change in try writes.catalogChanges() { try tables.apply(change) }
        head = try writes.moved(head)
        try update(head)
        if writes.secrets != nil { try updateSecrets(head) }
    }

    private func highestStoredType() throws(StorageError) -> TypeNumber {
        var cursor = try highestType.start()
        return try cursor.next() ? try cursor.type(0) : 0
    }

    func update(_ head: CatalogHead) throws(StorageError) {
        var cursor = try headChange.start()
        cursor.bind(head.version)
        cursor.bind(head.lastDatabase)
        bindState(of: head, to: &cursor)
        cursor.bind(head.checksum)
        try cursor.finish()
    }

    /// ``update(_:)`` writes its checksum.
    func updateSecrets(_ head: CatalogHead) throws(StorageError) {
        var cursor = try secretChange.start()
        bindSecrets(of: head, to: &cursor)
        try cursor.finish()
    }

    private func bindState(of head: CatalogHead, to cursor: inout Cursor) {
        cursor.bind(head.deletedAt)
        cursor.bind(head.digest)
        cursor.bind(Int64(head.lastType))
    }

    private func bindSecrets(of head: CatalogHead, to cursor: inout Cursor) {
        cursor.bind(blob: head.storedKey)
        cursor.bind(head.sealing.key)
        cursor.bind(blob: head.sealing.fileKey)
        cursor.bind(head.sealing.filePlace)
        cursor.bind(head.sealing.filesSince)
    }

    /// Marks the tenant as deleted, for every process at its next snapshot.
    func markDeleted(_ stored: CatalogHead, at time: Milliseconds) throws(StorageError) {
        var head = stored
        head.version += 1
        head.deletedAt = max(time, 1)
        try update(head)
    }

    func insert(_ head: CatalogHead) throws(StorageError) {
        var cursor = try headInsertion.start()
        // There is one row.
        cursor.bind(1)
        cursor.bind(head.version)
        cursor.bind(head.tenant.container)
        cursor.bind(head.tenant.environment.rawValue)
        cursor.bind(head.lanes)
        cursor.bind(head.lastDatabase)
        cursor.bind(head.createdAt)
        bindState(of: head, to: &cursor)
        bindSecrets(of: head, to: &cursor)
        cursor.bind(head.checksum)
        try cursor.finish()
    }
}
