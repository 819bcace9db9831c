import CloudKitWire
import NephosStorage

/// Applies a write set inside a transaction of its caller. What fails leaves a part behind: that transaction must not be
/// committed.
///
/// Rows go in bulk, one statement for all of a kind, and wait for the next round trip. What the statements will touch is
/// known from what was read behind the head's lock, so that the head can be counted on without asking; statements that
/// would touch anything else fail (``Guard``).
struct SetWriter {
    let session: WriteSession
    private var tenant: TenantNumber { session.tenant }
    private var transaction: Transaction { session.transaction }

    init(session: WriteSession) { self.session = session }

    /// - Parameters:
    ///   - reading: What the decision saw.
    ///   - ledger: Knows the locked heads, and afterwards which of them move.
    func apply(_ set: WriteSet, _ reading: Reading, _ ledger: inout Ledger) throws(StorageError) {
        try ledger.begin(set, after: reading.catalog.head.lastDatabase)
        // Rows of a database are inserted beside its head (``BulkInsertion``), so that it comes first.
        for head in ledger.opened { try session.headWriter.insert(head) }
        for write in set.zones { try session.zoneWriter.apply(write, &ledger) }
        try TrashWriter(tenant: tenant, transaction: transaction).take(set.takenFromTrash, &ledger)
        let events = EventWriter(tenant: tenant, transaction: transaction)
        try events.insert(set.events.filter(\.kind.isOfWhatWas), &ledger)
        try RecordWriter(session: session).apply(set.deletions, set.records, &ledger)
        try events.insert(set.events.filter { !$0.kind.isOfWhatWas }, &ledger)
        let tables = TableWriter(tenant: tenant, transaction: transaction, tables: session.store.described)
        try tables.apply(set.changes, &ledger)
        try events.forgetCopies(of: set.eventsTold.filter(\.hasRecord))
        try tables.apply(set.users.map { RowChange($0) })
    }
}
