import CloudKitWire
import NephosStorage
import Synchronization

/// Reads the catalog.
struct CatalogReader {
    static let head = Statement(
        """
        SELECT version, container, environment, lanes, last_db, signing_key, created_at, deleted_at, digest FROM catalog
        """)
    private static let rows = [
        Statement("SELECT type, name, epoch FROM types"),
        Statement("SELECT type, name, kind, encrypted, options FROM fields"),
        Statement("SELECT role, name FROM roles"),
        Statement("SELECT type, role, rights FROM grants"),
    ]

    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The current catalog, given its row in the table `catalog`.
    func catalog(headRows: Rows, cache: CatalogCache) throws(StorageError) -> Catalog {
        let head = try Self.head(headRows)
        if let known = cache.catalog, known.version == head.version { return known.moved(to: head) }
        let catalog = try load()
        cache.remember(catalog)
        return catalog
    }

    /// With READ COMMITTED, every statement has its own snapshot, so the rows of the tables are consistent only if the
    /// version was the same before and after they were read.
    private func load() throws(StorageError) -> Catalog {
        while true {
            let answers = try connection.run([Self.head] + Self.rows + [Self.head])
            let (before, after) = (try Self.head(answers[0]), try Self.head(answers[5]))
            guard before.version == after.version else {
                Measures.now.withLock { $0.catalogTorn += 1 }
                continue
            }
            return Catalog(head: after, rows: try catalogRows(answers[1...4]))
        }
    }

    static func head(_ rows: Rows) throws(StorageError) -> CatalogHead {
        guard var row = rows.first else { throw .noSuchTenant }
        let version = try row.int()
        let container = try row.string()
        guard let environment = Environment(rawValue: try row.string()) else { throw .corrupt("environment") }
        let head = CatalogHead(
            version: version, tenant: Tenant(container: container, environment: environment), lanes: try row.int(),
            lastDatabase: try row.int(), signingKey: Array(try row.bytes()), createdAt: try row.int(),
            deletedAt: try row.int(), digest: try row.int())
        guard head.deletedAt == 0 else { throw .noSuchTenant }
        return head
    }

    private func catalogRows(_ answers: ArraySlice<Rows>) throws(StorageError) -> [CatalogRow] {
        let types = try answers[1].map { row throws(StorageError) in
            var row = row
            return CatalogRow.type(RecordTypeRow(number: try row.type(), name: try row.name(), epoch: try row.int()))
        }
        let fields = try answers[2].map { row throws(StorageError) in
            var row = row
            return CatalogRow.field(
                FieldRow(
                    type: try row.type(), name: try row.name(), kind: try row.kind(FieldType.self),
                    isEncrypted: try row.int() != 0, options: FieldRow.Options(rawValue: try row.int())))
        }
        let roles = try answers[3].map { row throws(StorageError) in
            var row = row
            return CatalogRow.role(RoleRow(number: try row.int(), name: try row.name()))
        }
        let grants = try answers[4].map { row throws(StorageError) in
            var row = row
            return CatalogRow.grant(
                GrantRow(type: try row.type(), role: try row.int(), rights: GrantRow.Rights(rawValue: try row.int())))
        }
        return types + fields + roles + grants
    }
}
