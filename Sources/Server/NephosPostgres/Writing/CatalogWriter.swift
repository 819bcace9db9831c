import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
struct CatalogWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Applies changes of the catalog, and moves its row.
    func apply(_ writes: WriteSet, to stored: CatalogHead, _ tables: TableSet) throws(StorageError) {
        guard writes.touchesCatalog else { return }
        try TableWriter(tenant: tenant, transaction: transaction, tables: tables).apply(try writes.catalogChanges())
        let head = try writes.moved(stored)
        update(head)
        guard writes.secrets != nil else { return }
        transaction.later(Self.secretChange) {
            $0.add(tenant.value)
            $0.addSecrets(of: head)
        }
    }

    private func update(_ head: CatalogHead) {
        transaction.later(Self.change) {
            $0.add(tenant.value)
            $0.add(head.version)
            $0.add(head.lastDatabase)
            $0.addState(of: head)
            $0.add(head.checksum)
        }
    }

    /// Marks the tenant as deleted, for every process at its next transaction.
    func markDeleted(_ stored: CatalogHead, at time: Milliseconds) {
        var head = stored
        head.version += 1
        head.deletedAt = max(time, 1)
        update(head)
    }

    func insert(_ head: CatalogHead) {
        transaction.later(Self.insertion) {
            $0.add(tenant.value)
            $0.add(head.version)
            $0.add(head.tenant.container)
            $0.add(head.tenant.environment.rawValue)
            $0.add(head.lanes)
            $0.add(head.lastDatabase)
            $0.add(head.createdAt)
            $0.addState(of: head)
            $0.addSecrets(of: head)
            $0.add(head.checksum)
        }
    }

    private static let change = Statement(
        """
        UPDATE catalog SET version = $2, last_db = $3, deleted_at = $4, digest = $5, last_type = $6, checksum = $7
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

extension Values {
    fileprivate mutating func addState(of head: CatalogHead) {
        add(head.deletedAt)
        add(head.digest)
        add(Int64(head.lastType))
    }

    fileprivate mutating func addSecrets(of head: CatalogHead) {
        add(bytes: head.storedKey)
        add(head.sealing.key)
        add(bytes: head.sealing.fileKey)
        add(head.sealing.filePlace)
        add(head.sealing.filesSince)
    }
}
