import NephosStorage
import Synchronization

/// Tenants as schemas of one PostgreSQL database. Just enough of an engine to run the spike's cases: functions that
/// they do not use throw an error.
final class PostgresEngine: StorageEngine {
    private let conninfo: String
    private let place: String
    private let stores = Mutex<[Tenant: PostgresTenantStore]>([:])

    /// - Parameter place: The prefix of all schemas of this engine.
    init(_ conninfo: String, place: String) {
        self.conninfo = conninfo
        self.place = place
    }

    var name: String { "postgres" }

    func opened(_ tenant: Tenant) -> (any TenantStore)? { stores.withLock { $0[tenant] } }

    func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        if let store = opened(tenant) { return store }
        let store = PostgresTenantStore(tenant, conninfo, place: schema(of: tenant))
        stores.withLock { $0[tenant] = store }
        return store
    }

    private func schema(of tenant: Tenant) -> String { "\(place)_\(tenant.environment.rawValue)" }

    func createContainer(_ row: ContainerRow, seeds: [TenantSeed]) throws(StorageError) {
        for seed in seeds {
            let schema = schema(of: seed.head.tenant)
            let connection = try Connection(conninfo, place: schema)
            try connection.run([Statement("CREATE SCHEMA \(schema)")])
            // In the pipeline, each statement must be sent separately, also without values.
            let tables = tenantTables.split(separator: ";").map { Statement(String($0)) }
            try connection.run(tables.filter { $0.sql.contains("CREATE") })
            try connection.run(seed.statements)
        }
    }

    func close() {
        let open = stores.withLock { stores in
            defer { stores = [:] }
            return Array(stores.values)
        }
        for store in open { store.close() }
    }

    private var missing: StorageError { .failed("the spike keeps no accounts and no list of containers") }
    func containers() throws(StorageError) -> [ContainerRow] { throw missing }
    func deleteContainer(_ id: String, at time: Milliseconds) throws(StorageError) { throw missing }
    func createAccount(_ row: AccountRow) throws(StorageError) { throw missing }
    func account(email: String) throws(StorageError) -> AccountRow? { throw missing }
    func account(id: String) throws(StorageError) -> AccountRow? { throw missing }
    func checkDirectory() throws(StorageError) -> [CheckFinding] { throw missing }
}

extension TenantSeed {
    /// Inserts the row and the entries of the catalog, and the lanes with their default zones.
    fileprivate var statements: [Statement] {
        var statements = rows.compactMap(insertion(of:))
        statements.append(
            Statement(
                "INSERT INTO catalog VALUES (1, $1, $2, $3, $4, $5, $6, $7, 0, $8)", .int(head.version),
                .text(head.tenant.container), .text(head.tenant.environment.rawValue), .int(head.lanes),
                .int(head.lanes), .bytes(head.signingKey[...]), .int(head.createdAt),
                .int(rows.reduce(0) { $0 &+ $1.checksum })))
        for lane in 1...head.lanes {
            var database = HeadRow(database: lane, kind: .publicLane, owner: nil)
            database.sequence = 1
            database.zoneNumber = 1
            database.zones = 1
            database.liveZones = 1
            let zone = ZoneRow(
                database: lane, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1,
                createdAt: head.createdAt)
            statements += [insertion(of: database), insertion(of: zone)]
        }
        return statements
    }
}
