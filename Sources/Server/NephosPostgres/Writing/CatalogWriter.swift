import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
struct CatalogWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Applies changes of the catalog, and updates its row.
    func apply(_ writes: WriteSet, to stored: CatalogHead, _ tables: TableSet) throws(StorageError) {
        guard writes.touchesCatalog else { return }
        try TableWriter(tenant: tenant, transaction: transaction, tables: tables).apply(try writes.catalogChanges())
        let head = try writes.moved(stored)
        update(head)
        guard writes.secrets != nil else { return }
        let sealing = head.sealing
        transaction.later(
            Self.secretChange, tenant.value, head.storedKey[...], sealing.key, sealing.fileKey[...],
            sealing.filePlace, sealing.filesSince)
    }

    private func update(_ head: CatalogHead) {
        transaction.later(
            Self.change, tenant.value, head.version, head.lastDatabase, head.deletedAt, head.digest, head.lastType,
            head.endedSessions, head.checksum)
    }

    /// Marks the tenant as deleted, for every process at its next transaction.
    func markDeleted(_ stored: CatalogHead, at time: Milliseconds) {
        var head = stored
        head.version += 1
        head.deletedAt = max(time, 1)
        update(head)
    }

    func insert(_ head: CatalogHead) {
        let sealing = head.sealing
        transaction.later(
            Self.insertion, tenant.value, head.version, head.tenant.container, head.tenant.environment.rawValue,
            head.lanes, head.lastDatabase, head.createdAt, head.deletedAt, head.digest, head.lastType,
            head.storedKey[...], sealing.key, sealing.fileKey[...], sealing.filePlace, sealing.filesSince,
            head.endedSessions, head.checksum)
    }

    private static let change = Statement(
        """
        UPDATE catalog SET version = $2, last_db = $3, deleted_at = $4, digest = $5, last_type = $6,
            ended_sessions = $7, checksum = $8
        WHERE tenant = $1
        """)
    private static let secretChange = Statement(
        """
        UPDATE catalog SET signing_key = $2, secret_key = $3, file_key = $4, file_place = $5, files_since = $6
        WHERE tenant = $1
        """)
    private static let insertion = Statement.insertion(
        into: "catalog", ["tenant"] + CatalogHead.columns + ["checksum"])
}
