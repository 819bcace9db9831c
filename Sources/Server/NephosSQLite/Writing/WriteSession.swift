import NephosQueries
import NephosStorage

/// Runs one transaction after another over the writer's connection.
///
/// It is used by the thread that drains the queue, and may therefore be declared `Sendable`.
final class WriteSession: CommitSession, CommitPlace, @unchecked Sendable {
    let connection: Connection
    let reader: TenantReader
    let writer: TenantWriter
    let indexLists = MaintainedIndexLists()
    private let cache: CatalogCache
    var keys: SecretKeys { cache.keys }
    /// The catalog as this transaction sees it, after it was first read. Changes by the transaction itself never enter the
    /// cache, since they may still be rolled back.
    private var knownCatalog: Catalog?
    /// Only decisions share a transaction, and they see heads and zones only through ``load(_:into:)``.
    private var moved = MovedRows()
    /// Whether some heads were written before the end of this transaction.
    private var headsAreWritten = false

    init(_ connection: Connection, _ cache: CatalogCache, _ tables: TableSet) {
        self.connection = connection
        self.cache = cache
        reader = TenantReader(connection)
        writer = TenantWriter(connection, tables)
    }

    /// A file has one writer at a time.
    func line(of databases: [DatabaseNumber]) -> CommitLine? { CommitLine(tenant: 0, database: 0) }

    func withSession(_ body: (any CommitSession) throws(StorageError) -> Void) throws(StorageError) {
        knownCatalog = nil
        moved.forgetAll()
        headsAreWritten = false
        try connection.begin()
        defer { connection.rollback() }
        try body(self)
    }

    func commit() throws(StorageError) {
        try writeHeads()
        try writeZones()
        try connection.commit()
    }

    private func writeHeads() throws(StorageError) {
        for head in moved.heads.values { try writer.heads.update(head, isWrittenAgain: headsAreWritten) }
        if !moved.heads.isEmpty { headsAreWritten = true }
        moved.forgetHeads()
    }

    private func writeZones() throws(StorageError) {
        for zone in moved.zones { try writer.zones.move(zone) }
        moved.forgetZones()
    }

    var isBroken: Bool { connection.transactionIsBroken }

    func allOrNothing<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        try connection.allOrNothing(body)
    }

    /// The catalog as this transaction sees it. - Throws: ``StorageError/noSuchTenant``.
    func catalog() throws(StorageError) -> Catalog {
        if let knownCatalog { return knownCatalog }
        // Nothing of the catalog was written yet in this transaction, so what it reads is committed.
        let catalog = try cache.catalog(reader.catalogs.catalog)
        knownCatalog = catalog
        return catalog
    }

    func load(_ set: ReadSet, locking: [DatabaseNumber]) throws(StorageError) -> Reading {
        var reading = Reading(catalog: try catalog())
        try load(more: set, into: &reading)
        return reading
    }

    func load(more set: ReadSet, into reading: inout Reading) throws(StorageError) {
        // These read the tables directly.
        if !set.zoneLists.isEmpty || !set.zoneFeeds.isEmpty { try writeZones() }
        if !set.annexes.isEmpty { try writeHeads() }
        try reader.load(set, moved: moved, into: &reading)
        try reading.openSecrets(by: keys)
    }

    /// Changes counters or the annex of a head, for work of the engine itself, which shares its transaction with no decision.
    func changeHead(
        _ database: DatabaseNumber, _ change: (inout HeadRow) -> Void
    ) throws(StorageError) {
        guard var head = try reader.heads.head(database) else {
            throw .corrupt("heads: database \(database) is missing")
        }
        change(&head)
        try writer.heads.update(head)
    }

    func report(of writes: WriteSet, _ reading: Reading) throws(StorageError) -> CommitReport {
        try report(of: writes, reading, reading.databases.compactMap { $0 })
    }

    func apply(_ writes: WriteSet, _ reading: Reading) throws(StorageError) {
        guard !writes.isEmpty else { return }
        let heads = reading.databases.compactMap { $0 }
        try connection.allOrNothing { () throws(StorageError) in
            let entries = try entryChanges(of: writes, reading, heads)
            try writer.apply(writes, stored: heads, catalog: reading.catalog.head, &moved)
            try apply(entries)
            if writes.touchesCatalog {
                let catalog = try reader.catalogs.catalog(remembered: reading.catalog)
                knownCatalog = catalog === reading.catalog ? catalog : try catalog.opened(by: keys)
            }
        }
    }
}
