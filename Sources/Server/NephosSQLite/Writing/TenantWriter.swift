import CloudKitWire
import NephosStorage

/// Applies write sets over the writer's connection, inside a transaction of its caller. After a failure a part may be
/// written: then that transaction must not be committed.
struct TenantWriter {
    let connection: Connection
    let tables: TableWriter
    var heads: HeadWriter { HeadWriter(connection: connection) }
    var zones: ZoneWriter { ZoneWriter(connection: connection) }
    var entries: EntryWriter { EntryWriter(connection: connection) }
    var assets: AssetWriter { AssetWriter(connection: connection, tables: tables) }
    var trash: TrashWriter { TrashWriter(connection: connection, tables: tables, assets: assets) }
    var events: EventWriter { EventWriter(connection: connection, tables: tables) }
    var catalogs: CatalogWriter { CatalogWriter(connection: connection, tables: tables) }
    var records: RecordWriter { RecordWriter(connection: connection, tables: tables) }

    init(_ connection: Connection, _ tables: TableSet) {
        self.connection = connection
        self.tables = TableWriter(connection: connection, tables: tables)
    }

    /// - Parameters:
    ///   - stored: The heads that were read.
    ///   - catalog: The catalog's row as this transaction sees it.
    ///   - moved: Receives the heads and zones that the set moves. They are not written yet: the next set of the transaction may move
    ///     them again.
    func apply(
        _ set: WriteSet, stored: [HeadRow], catalog: CatalogHead, _ moved: inout MovedRows
    ) throws(StorageError) {
        let records = records
        var ledger = Ledger(stored: stored)
        try ledger.begin(set, after: catalog.lastDatabase)
        for write in set.zones { try zones.apply(write, &ledger, &moved) }
        for row in set.takenFromTrash { try trash.take(row, &ledger) }
        let areEvents = !set.events.isEmpty
        if areEvents { try events.insert(set.events.lazy.filter(\.kind.isOfWhatWas), &ledger) }
        // A name may be deleted and saved again in one set, so its tombstone must exist before the record is added.
        for deletion in set.deletions { try records.apply(deletion, &ledger) }
        for write in set.records { try records.apply(write, &ledger) }
        if areEvents { try events.insert(set.events.lazy.filter { !$0.kind.isOfWhatWas }, &ledger) }
        for change in set.changes { try tables.apply(change, &ledger) }
        for event in set.finishedEvents where event.hasRecord { try events.forgetCopy(of: event) }
        for user in set.users { try tables.apply(RowChange(user)) }
        for head in ledger.opened { try heads.insert(head) }
        if set.touchesCatalog { try catalogs.apply(set, to: catalog) }
        for head in ledger.moved { moved.move(head) }
    }

    /// Writes the first rows of a new tenant into empty tables.
    func seed(_ seed: TenantSeed) throws(StorageError) {
        let head = try seed.firstHead()
        for row in seed.rows { try tables.apply(RowChange(CatalogWrite(new: row))) }
        try catalogs.insert(head)
        for (database, zone) in seed.lanes {
            try zones.insert(zone)
            try heads.insert(database)
        }
    }
}
