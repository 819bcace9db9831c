import CloudKitWire
import NephosStorage

/// Adds rows to the table `events`.
enum EventWriter {
    private static let insertion = Statement(
        """
        INSERT INTO events (db, seq, zone_no, kind, name, client, checksum, old_fields, new_fields)
        SELECT $1, * FROM unnest(
            $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[], $7::bigint[], $8::bytea[], $9::bytea[])
        """)

    static func insert(
        _ events: [ChangeEventRow], _ ledger: inout Ledger, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        for event in events { try ledger.check(event.sequence, in: event.database) }
        for (database, rows) in events.byDatabase(\.database) {
            let stored = try tenant.stored(database)
            transaction.later(insertion) {
                $0.add(stored)
                $0.add(numbers: rows.map(\.sequence))
                $0.add(numbers: rows.map(\.zone))
                $0.add(numbers: rows.map(\.kind.rawValue))
                $0.add(names: rows.map(\.name))
                $0.add(texts: rows.map(\.client))
                $0.add(numbers: rows.map(\.checksum))
                $0.add(optionalPieces: rows.map(\.oldFields))
                $0.add(optionalPieces: rows.map(\.newFields))
            }
            try ledger.count(database) { $0.events += Int64(rows.count) }
        }
    }
}
