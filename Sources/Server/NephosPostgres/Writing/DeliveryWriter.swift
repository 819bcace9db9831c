import CloudKitWire
import NephosStorage

/// Writes of the tables `deliveries` and `push_log`: one statement for all rows of a kind.
struct DeliveryWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    func apply(_ writes: [DeliveryWrite]) throws(StorageError) {
        try insert(writes.compactMap { $0.old == nil ? $0.new : nil })
        try change(
            writes.compactMap { write in
                if let old = write.old, let new = write.new { (old, new) } else { nil }
            })
        try remove(writes.compactMap { $0.new == nil ? $0.old : nil })
    }

    private func insert(_ rows: [DeliveryRow]) throws(StorageError) {
        guard !rows.isEmpty else { return }
        let stored = try databases(rows)
        transaction.later(Self.insertion) {
            $0.addKeys(of: rows, stored)
            $0.addStates(of: rows)
        }
    }

    private func change(_ changes: [(old: DeliveryRow, new: DeliveryRow)]) throws(StorageError) {
        guard !changes.isEmpty else { return }
        let stored = try databases(changes.map(\.new))
        transaction.later(Self.change) {
            $0.addKeys(of: changes.map(\.new), stored)
            $0.addStates(of: changes.map(\.new))
            $0.add(numbers: changes.map(\.old.checksum))
            $0.add(Int64(changes.count))
        }
    }

    private func remove(_ rows: [DeliveryRow]) throws(StorageError) {
        guard !rows.isEmpty else { return }
        let stored = try databases(rows)
        transaction.later(Self.removal) {
            $0.addKeys(of: rows, stored)
            $0.add(numbers: rows.map(\.checksum))
            $0.add(Int64(rows.count))
        }
    }

    private func databases(_ rows: [DeliveryRow]) throws(StorageError) -> [Int64] {
        try rows.map { row throws(StorageError) in try tenant.stored(row.key.database) }
    }

    private static let columns = """
        db, device, source_db, subscription, slot, user_id, channel, seq, changes, created_at, due_at, leased_until, \
        attempts, collapse_id, checksum, payload
        """
    /// An array for each of ``columns``.
    private static let arrays = """
        $1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bytea[], $7::bigint[], $8::bigint[],
        $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bytea[], $15::bigint[],
        $16::bytea[]
        """
    private static func isSame(as other: String) -> String {
        ["db", "device", "source_db", "subscription", "slot"].map { "d.\($0) = \(other).\($0)" }
            .joined(separator: " AND ")
    }

    private static let insertion = Statement(
        "INSERT INTO deliveries (\(columns)) SELECT * FROM unnest(\(arrays))")
    private static let change = Statement(
        Guard.touching(
            "$18",
            """
            UPDATE deliveries AS d SET user_id = n.user_id, channel = n.channel, seq = n.seq, changes = n.changes,
                created_at = n.created_at, due_at = n.due_at, leased_until = n.leased_until, attempts = n.attempts,
                collapse_id = n.collapse_id, checksum = n.checksum, payload = n.payload
            FROM unnest(\(arrays), $17::bigint[]) AS n (\(columns), before)
            WHERE \(isSame(as: "n")) AND d.checksum = n.before
            RETURNING 1
            """))
    private static let removal = Statement(
        Guard.touching(
            "$7",
            """
            DELETE FROM deliveries AS d
            USING unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bigint[])
                AS o (db, device, source_db, subscription, slot, checksum)
            WHERE \(isSame(as: "o")) AND d.checksum = o.checksum
            RETURNING 1
            """))

}

extension Values {
    fileprivate mutating func addKeys(of rows: [DeliveryRow], _ databases: [Int64]) {
        add(numbers: databases)
        add(pieces: rows.map { $0.key.device[...] })
        add(numbers: rows.map(\.key.source))
        add(names: rows.map(\.key.subscription))
        add(numbers: rows.map(\.key.slot))
    }

    fileprivate mutating func addStates(of rows: [DeliveryRow]) {
        add(users: rows.map(\.user))
        add(numbers: rows.map(\.channel.rawValue))
        add(numbers: rows.map(\.sequence))
        add(numbers: rows.map(\.changes))
        add(numbers: rows.map(\.createdAt))
        add(numbers: rows.map(\.dueAt))
        add(numbers: rows.map(\.leasedUntil))
        add(numbers: rows.map(\.attempts))
        add(names: rows.map(\.collapseID))
        add(numbers: rows.map(\.checksum))
        add(pieces: rows.map(\.payload))
    }
}
