import CloudKitWire
import NephosStorage

/// Writes of the catalog: its row, and the tables of schema, roles, grants, tokens, keys and sessions.
struct CatalogWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Applies changes of the catalog, and moves its row: the version when remembered catalogs become wrong, the digest
    /// with every row, the last database number with new databases.
    func apply(
        _ writes: [CatalogWrite], newDatabases: Int64, to stored: CatalogHead, _ tables: TableSet
    ) throws(StorageError) {
        guard !writes.isEmpty || newDatabases > 0 else { return }
        var head = stored
        head.lastDatabase += newDatabases
        try TableWriter(tenant: tenant, transaction: transaction, tables: tables).apply(
            try writes.map { write throws(StorageError) in try RowChange(write) })
        for write in writes {
            head.digest &-= write.old?.checksum ?? 0
            head.digest &+= write.new?.checksum ?? 0
            if case .type(let row)? = write.new { head.lastType = max(head.lastType, row.number) }
        }
        if writes.contains(where: \.changesVersion) { head.version += 1 }
        transaction.later(Self.change) {
            $0.add(head.version)
            $0.add(head.lastDatabase)
            $0.add(Int64(head.lastType))
            $0.add(head.digest)
            $0.add(head.checksum)
            $0.add(tenant.value)
        }
    }

    /// Marks the tenant as deleted, for every process at its next transaction.
    func markDeleted(_ stored: CatalogHead, at time: Milliseconds) {
        var head = stored
        head.version += 1
        head.deletedAt = max(time, 1)
        transaction.later(Self.deletionMark) {
            $0.add(head.version)
            $0.add(head.deletedAt)
            $0.add(head.checksum)
            $0.add(tenant.value)
        }
    }

    func insert(_ head: CatalogHead) {
        transaction.later(Self.insertion) {
            $0.add(tenant.value)
            $0.add(head.version)
            $0.add(head.tenant.container)
            $0.add(head.tenant.environment.rawValue)
            $0.add(head.lanes)
            $0.add(head.lastDatabase)
            $0.add(Int64(head.lastType))
            $0.add(bytes: head.signingKey)
            $0.add(head.createdAt)
            $0.add(head.deletedAt)
            $0.add(head.digest)
            $0.add(head.checksum)
        }
    }

    private static let insertion = Statement(
        """
        INSERT INTO catalog (
            tenant, version, container, environment, lanes, last_db, last_type, signing_key, created_at, deleted_at,
            digest, checksum
        ) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)
        """)
    private static let change = Statement(
        Guard.touching(
            one: """
                UPDATE catalog SET version = $1, last_db = $2, last_type = $3, digest = $4, checksum = $5
                WHERE tenant = $6 RETURNING 1
                """))
    private static let deletionMark = Statement(
        "UPDATE catalog SET version = $1, deleted_at = $2, checksum = $3 WHERE tenant = $4")
}
