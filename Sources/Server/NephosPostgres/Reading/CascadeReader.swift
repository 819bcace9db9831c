import CloudKitWire
import NephosStorage

/// Reads of the table `cascades`.
struct CascadeReader {
    let tenant: TenantNumber

    /// Columns of a cascade that waits, in the order of ``read(_:)``.
    static let columns = "db, zone_no, target, seq"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 4

    /// Some cascades that wait, those of one zone together.
    func pending(max: Int) -> Call {
        Call(Self.first) {
            $0.add(tenant.range.lowerBound)
            $0.add(tenant.range.upperBound)
            $0.add(Int64(max))
        }
    }

    func read(_ row: Row) -> PendingCascadeRow {
        PendingCascadeRow(
            database: tenant.database(row.int(0)), zone: row.int(1), target: row.name(2), sequence: row.int(3))
    }

    private static let first = Statement(
        "SELECT \(columns) FROM cascades WHERE db >= $1 AND db < $2 ORDER BY db, zone_no, target LIMIT $3")
}
