import CloudKitWire
import NephosStorage

/// Writes what a new tenant starts with: its catalog, and its lanes with their default zones.
struct TenantSeeding {
    private let tenant: TenantNumber
    private let transaction: Transaction

    init(_ tenant: TenantNumber, _ transaction: Transaction) {
        self.tenant = tenant
        self.transaction = transaction
    }

    func run(_ seed: TenantSeed) throws(StorageError) {
        var head = seed.head
        guard head.lanes >= 1 else { throw .failed("a public database has at least one lane, not \(head.lanes)") }
        head.lastDatabase = head.lanes
        head.digest = 0
        head.lastType = 0
        for row in seed.rows {
            if case .type(let type) = row { head.lastType = max(head.lastType, type.number) }
            transaction.later(CatalogTable.insertion(of: row, tenant))
            head.digest &+= row.checksum
        }
        CatalogWriter(tenant: tenant, transaction: transaction).insert(head)
        for lane in 1...head.lanes { try makeLane(lane, at: head.createdAt) }
    }

    private func makeLane(_ lane: DatabaseNumber, at time: Milliseconds) throws(StorageError) {
        var database = HeadRow(database: lane, kind: .publicLane, owner: nil)
        database.sequence = 1
        database.zoneNumber = 1
        database.time = time
        database.zones = 1
        database.liveZones = 1
        let zone = ZoneRow(
            database: lane, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1, createdAt: time)
        try HeadWriter.insert(database, tenant, transaction)
        try ZoneWriter.insert(zone, tenant, transaction)
    }
}
