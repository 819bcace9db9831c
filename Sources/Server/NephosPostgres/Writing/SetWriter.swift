import CloudKitWire
import NephosStorage

/// Applies a write set inside a transaction of its caller. After a failure a part may be written: then that transaction must
/// not be committed.
///
/// Rows are written in bulk, one statement for all of a kind, and queued until the next round trip. What the statements will
/// affect is known from what was read under the head's lock, so that the counters of the head need no query; statements that
/// would affect other rows fail (``Guard``).
struct SetWriter {
    let session: WriteSession
    private var tenant: TenantNumber { session.tenant }
    private var transaction: Transaction { session.transaction }

    init(session: WriteSession) { self.session = session }

    /// - Parameters:
    ///   - reading: What the decision saw.
    ///   - ledger: Contains the locked heads, and afterwards which of them have moved.
    func apply(_ set: WriteSet, _ reading: Reading, _ ledger: inout Ledger) throws(StorageError) {
        try ledger.begin(set, after: reading.catalog.head.lastDatabase)
        // Rows of a database are inserted by a join with its head (``BulkInsertion``), so that the head is inserted first.
        for head in ledger.opened { try session.headWriter.insert(head) }
        for write in set.zones { try session.zoneWriter.apply(write, &ledger) }
        try TrashWriter(tenant: tenant, transaction: transaction).take(set.takenFromTrash, &ledger)
        let events = EventWriter(tenant: tenant, transaction: transaction)
        try events.insert(set.events.filter(\.kind.isOfWhatWas), &ledger)
        try RecordWriter(session: session).apply(set.deletions, set.records, &ledger)
        try events.insert(set.events.filter { !$0.kind.isOfWhatWas }, &ledger)
        let tables = TableWriter(tenant: tenant, transaction: transaction, tables: session.store.described)
        try tables.apply(set.changes, &ledger)
        try events.forgetCopies(of: set.finishedEvents.filter(\.hasRecord))
        try tables.apply(set.users.map { RowChange($0) })
    }
}
