import CloudKitWire
import NephosStorage

/// Applies write sets over the writer's connection, inside a transaction and a savepoint of its caller.
final class TenantWriter: @unchecked Sendable {
    let connection: Connection
    let heads: HeadWriter
    let zones: ZoneWriter
    let records: RecordWriter
    let references: ReferenceWriter
    let events: EventWriter
    let cascades: CascadeWriter
    let trash: TrashWriter
    let indexes: IndexWriter
    let entries: EntryWriter
    let users: UserWriter
    let catalogs: CatalogWriter

    init(_ connection: Connection) {
        self.connection = connection
        heads = HeadWriter(connection)
        zones = ZoneWriter(connection)
        references = ReferenceWriter(connection)
        trash = TrashWriter(connection)
        indexes = IndexWriter(connection)
        entries = EntryWriter(connection)
        records = RecordWriter(connection, references, IndexMaintenance(connection, entries), trash)
        events = EventWriter(connection)
        cascades = CascadeWriter(connection)
        users = UserWriter(connection)
        catalogs = CatalogWriter(connection)
    }

    /// - Parameters:
    ///   - stored: The heads that were read.
    ///   - catalog: The catalog's row as this transaction sees it.
    func apply(_ set: WriteSet, stored: [HeadRow], catalog: CatalogHead) throws(StorageError) {
        var ledger = Ledger(stored: stored)
        for head in set.heads { try ledger.advance(to: head) }
        for (index, head) in set.databases.enumerated() {
            guard head.database == catalog.lastDatabase + Int64(index) + 1 else {
                throw .failed("database \(head.database) does not follow database \(catalog.lastDatabase)")
            }
            try ledger.open(head)
        }
        for write in set.zones { try zones.apply(write, &ledger) }
        for row in set.takenFromTrash { try trash.take(row, &ledger) }
        // A name may be deleted and saved again at once, so its tombstone must be there before the record comes.
        for deletion in set.deletions { try records.apply(deletion, &ledger) }
        for write in set.records { try records.apply(write, &ledger) }
        for cascade in set.finishedCascades { try cascades.remove(cascade, &ledger) }
        for cascade in set.newCascades { try cascades.insert(cascade, &ledger) }
        for event in set.events { try events.insert(event, &ledger) }
        for user in set.users { try users.insert(user) }
        let opened = Set(set.databases.map(\.database))
        for head in ledger.changed {
            if opened.contains(head.database) { try heads.insert(head) } else { try heads.update(head) }
        }
        try catalogs.apply(set.catalog, newDatabases: Int64(set.databases.count), to: catalog)
    }

    /// Writes what a new tenant starts with into empty tables.
    func seed(_ seed: TenantSeed) throws(StorageError) {
        var head = seed.head
        guard head.lanes >= 1 else { throw .failed("a public database has at least one lane, not \(head.lanes)") }
        head.lastDatabase = head.lanes
        head.digest = 0
        head.lastType = 0
        for row in seed.rows {
            if case .type(let type) = row { head.lastType = max(head.lastType, type.number) }
            try catalogs.insert(row)
            head.digest &+= row.checksum
        }
        try catalogs.insert(head)
        for lane in 1...head.lanes {
            var ledger = Ledger(stored: [])
            var database = HeadRow(database: lane, kind: .publicLane, owner: nil)
            database.sequence = 1
            database.zoneNumber = 1
            database.time = head.createdAt
            try ledger.open(database)
            let zone = ZoneRow(
                database: lane, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1,
                createdAt: head.createdAt)
            try zones.apply(ZoneWrite(old: nil, new: zone), &ledger)
            for head in ledger.changed { try heads.insert(head) }
        }
    }
}
