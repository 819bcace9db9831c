import CloudKitWire
import NephosStorage

/// Writes of the tables `change_events` and `event_records`.
struct EventWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Adds events. A deletion's record is copied where a query watches, so it must still be there; what was saved is read
    /// where it lies, until something else overwrites it (``keep(_:_:)``).
    func insert(_ events: [ChangeEventRow], _ ledger: inout Ledger) throws(StorageError) {
        for event in events { try ledger.check(event.sequence, in: event.database) }
        for (database, rows) in events.groups(by: \.database) {
            let stored = try tenant.stored(database)
            let rows = rows.map { event in
                var event = event
                event.hasRecord = ledger.keepsRecord(of: event)
                return event
            }
            copyRecords(of: rows.filter { $0.hasRecord && $0.kind == .deleted }, stored)
            transaction.later(Self.insertion) {
                $0.add(stored)
                $0.add(numbers: rows.map(\.sequence))
                $0.add(numbers: rows.map(\.zone))
                $0.add(numbers: rows.map(\.kind.rawValue))
                $0.add(names: rows.map(\.name))
                $0.add(texts: rows.map(\.client))
                $0.add(numbers: rows.map { $0.hasRecord ? 1 : 0 })
                $0.add(numbers: rows.map(\.toldTo))
                $0.add(numbers: rows.map(\.checksum))
            }
            try ledger.count(database) { $0.events += Int64(rows.count) }
        }
    }

    /// Copies records that are about to change or to go, where somebody is still to be told of them as they stand.
    func keep(_ records: [RecordStub], _ ledger: Ledger) throws(StorageError) {
        for (database, rows) in records.groups(by: \.database) {
            guard let head = ledger.head(database), head.events > 0 else { continue }
            let stored = try tenant.stored(database)
            transaction.later(Self.copyOfOld) {
                $0.add(stored)
                $0.add(numbers: rows.map(\.number))
            }
        }
    }

    private func copyRecords(of events: [ChangeEventRow], _ stored: Int64) {
        guard !events.isEmpty else { return }
        transaction.later(Self.copy) {
            $0.add(stored)
            $0.add(numbers: events.map(\.sequence))
            $0.add(numbers: events.map(\.zone))
            $0.add(names: events.map(\.name))
            $0.add(Int64(events.count))
        }
    }

    /// Changes or removes events that lie there just as they were read.
    func apply(_ told: [ToldEvent], _ ledger: inout Ledger) throws(StorageError) {
        for told in told {
            let (event, stored) = (told.event, try tenant.stored(told.event.database))
            if let sequence = told.toldTo {
                var next = event
                next.toldTo = sequence
                transaction.later(Self.progress) {
                    $0.add(stored)
                    $0.add(event.sequence)
                    $0.add(event.checksum)
                    $0.add(sequence)
                    $0.add(next.checksum)
                }
            } else {
                transaction.later(Self.removal) {
                    $0.add(stored)
                    $0.add(event.sequence)
                    $0.add(event.checksum)
                }
                if event.hasRecord {
                    transaction.later(Self.removalOfCopy) {
                        $0.add(stored)
                        $0.add(event.sequence)
                    }
                }
            }
            try ledger.count(event.database) { $0.events -= told.toldTo == nil ? 1 : 0 }
        }
    }

    private static let insertion = Statement(
        BulkInsertion.sql(
            "change_events", "seq, zone_no, kind, name, client, has_record, told_to, checksum",
            [.bigint, .bigint, .bigint, .bytea, .text, .bigint, .bigint, .bigint]))
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
        FROM unnest($2::bigint[]) AS old (record_no)
        CROSS JOIN LATERAL (SELECT * FROM records WHERE db = $1 AND record_no = old.record_no LIMIT 1) AS r
        CROSS JOIN LATERAL (
            SELECT 1 FROM change_events WHERE db = $1 AND seq = r.seq AND has_record = 1 LIMIT 1) AS e
        """)
    private static let progress = Statement(
        Guard.touching(
            one: """
                UPDATE change_events SET told_to = $4, checksum = $5 WHERE db = $1 AND seq = $2 AND checksum = $3 RETURNING 1
                """))
    private static let removal = Statement(
        Guard.touching(one: "DELETE FROM change_events WHERE db = $1 AND seq = $2 AND checksum = $3 RETURNING 1"))
    private static let removalOfCopy = Statement("DELETE FROM event_records WHERE db = $1 AND event_seq = $2")
}
