import CloudKitWire
import NephosStorage

/// Writes of the tables `change_events` and `event_records`.
struct EventWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Adds events. The record of a deletion is copied if a query watches, so it must still exist; a saved record is read
    /// from its table, until something else overwrites it (``keep(_:_:)``).
    func insert(_ events: [ChangeEventRow], _ ledger: inout Ledger) throws(StorageError) {
        let events = events.map { event in
            var event = event
            event.hasRecord = ledger.keepsRecord(of: event)
            return event
        }
        for (database, rows) in events.filter({ $0.hasRecord && $0.kind.copiesRecord }).groups(by: \.database) {
            try copyRecords(of: rows, in: database)
        }
        let tables = TableWriter(tenant: tenant, transaction: transaction, tables: .server)
        try tables.apply(events.map { RowChange($0) }, &ledger)
    }

    /// Copies records that are about to be changed or removed, if events about their current state are still to be sent.
    ///
    /// - Parameter records: Each with its next sequence; 0 if it is removed. With the same sequence it still belongs to the event.
    func keep(_ records: [(stub: RecordStub, next: Sequence)], _ ledger: Ledger) throws(StorageError) {
        for (database, rows) in records.groups(by: \.stub.database) {
            guard let head = ledger.head(database), head.events > 0 else { continue }
            let stored = try tenant.stored(database)
            transaction.later(Self.copyOfOld, stored, rows.map(\.stub.number), rows.map(\.next))
        }
    }

    private func copyRecords(of events: [ChangeEventRow], in database: DatabaseNumber) throws(StorageError) {
        let stored = try tenant.stored(database)
        transaction.later(
            Self.copy, stored, events.map(\.sequence), events.map(\.zone), events.map(\.name), Int64(events.count))
    }

    /// Removes the copies of events that are removed.
    func forgetCopies(of events: [ChangeEventRow]) throws(StorageError) {
        for (database, rows) in events.groups(by: \.database) {
            let stored = try tenant.stored(database)
            transaction.later(Self.removalOfCopies, stored, rows.map(\.sequence))
        }
    }

    private static let copied = RecordColumns.copied.split(separator: ", ").map { "r.\($0)" }.joined(separator: ", ")
    private static let copy = Statement(
        Guard.touching(
            "$5",
            """
            INSERT INTO event_records (db, event_seq, \(RecordColumns.copied), checksum)
            SELECT r.db, e.event_seq, \(copied), r.checksum
            FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS e (event_seq, zone_no, name)
            JOIN records AS r ON r.db = $1 AND r.zone_no = e.zone_no AND r.name = e.name
            RETURNING 1
            """))
    /// The rows are found one after the other, by the keys of their tables.
    private static let copyOfOld = Statement(
        """
        INSERT INTO event_records (db, event_seq, \(RecordColumns.copied), checksum)
        SELECT r.db, r.seq, \(copied), r.checksum
        FROM unnest($2::bigint[], $3::bigint[]) AS old (record_no, next_seq)
        CROSS JOIN LATERAL (
            SELECT * FROM records WHERE db = $1 AND record_no = old.record_no AND seq <> old.next_seq LIMIT 1) AS r
        CROSS JOIN LATERAL (
            SELECT 1 FROM change_events WHERE db = $1 AND seq = r.seq AND has_record = 1 LIMIT 1) AS e
        """)
    private static let removalOfCopies = Statement(
        "DELETE FROM event_records WHERE db = $1 AND event_seq = ANY($2::bigint[])")
}
