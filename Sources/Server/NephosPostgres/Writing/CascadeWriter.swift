import CloudKitWire
import NephosStorage

/// Writes of the table `cascades`.
struct CascadeWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Removes cascades that are done and adds new ones. How many rows go is not known before, so that this takes round
    /// trips of its own; few commits have cascades that wait.
    ///
    /// - A finished one that waits since a later deletion stays: its holders are others.
    /// - A new target that waits already was saved and deleted again since; the later deletion counts.
    func apply(
        finished: [PendingCascadeRow], new: [PendingCascadeRow], _ ledger: inout Ledger
    ) throws(StorageError) {
        for row in finished {
            let removed = try remove(row, Self.removal, isExact: true)
            try ledger.count(row.database) { $0.cascades -= removed }
        }
        for row in new {
            let replaced = try remove(row, Self.replacement, isExact: false)
            try insert(row)
            try ledger.count(row.database) { $0.cascades += 1 - replaced }
        }
    }

    private func remove(
        _ row: PendingCascadeRow, _ statement: Statement, isExact: Bool
    ) throws(StorageError) -> Int64 {
        let database = try tenant.stored(row.database)
        let rows = try transaction.run(statement) {
            $0.add(database)
            $0.add(row.zone)
            $0.add(row.target)
            if isExact { $0.add(row.sequence) }
        }
        return Int64(rows.touched)
    }

    private func insert(_ row: PendingCascadeRow) throws(StorageError) {
        let database = try tenant.stored(row.database)
        transaction.later(Self.insertion) {
            $0.add(database)
            $0.add(row.zone)
            $0.add(row.target)
            $0.add(row.sequence)
            $0.add(row.checksum)
        }
    }

    private static let insertion = Statement(
        "INSERT INTO cascades (db, zone_no, target, seq, checksum) VALUES ($1,$2,$3,$4,$5)")
    private static let replacement = Statement("DELETE FROM cascades WHERE db = $1 AND zone_no = $2 AND target = $3")
    private static let removal = Statement(
        "DELETE FROM cascades WHERE db = $1 AND zone_no = $2 AND target = $3 AND seq = $4")
}
