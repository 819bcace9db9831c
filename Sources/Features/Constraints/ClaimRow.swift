import CloudKitWire
import NephosStorage

/// A place or interval that a record holds and that is limited by a constraint (table `claims`).
struct ClaimRow: Sendable, Equatable {
    var database: DatabaseNumber
    /// ``Constraint/id``.
    var constraint: Int64
    /// SHA-256 of what the record has in common with its rivals (``Claim``).
    var key: [UInt8]
    /// From 1; for an interval its beginning. The key of the table thus prevents two records from holding the same, even if a
    /// decision is wrong.
    var slot: Int64
    var zone: ZoneNumber
    /// The name of the record.
    var name: Name
    /// The end of an interval; 0 for a place.
    var end: Int64
}

extension ClaimRow: StoredRow {
    static let table = Table(
        of: Self.self, "claims", .database, key: ["db", "constraint_id", "claim", "slot"], isCounted: true)
    static let sample = ClaimRow(database: 1, constraint: 1, key: [], slot: 1, zone: 1, name: "", end: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("constraint_id", &constraint)
        try columns.bytes("claim", &key)
        try columns.int("slot", &slot)
        try columns.int("zone_no", &zone)
        try columns.name("name", &name)
        try columns.int("end_at", &end)
    }

    // MARK: Scans

    /// All rows held by some rivals.
    static func held(_ rivals: [Rivals], in database: DatabaseNumber) -> Scan<Self> {
        // Usually there is only one.
        let rivals = rivals.count > 1 ? Set(rivals).sorted() : rivals
        return Scan(.database(database), among: rivals.map { [.int($0.constraint), .bytes($0.key)] })
    }

    /// Intervals by their beginnings.
    static func beginning(_ beginnings: Set<Beginning>, in database: DatabaseNumber) -> Scan<Self> {
        Scan(
            .database(database),
            among: beginnings.sorted { ($0.rivals, $0.start) < ($1.rivals, $1.start) }
                .map { [.int($0.rivals.constraint), .bytes($0.rivals.key), .int($0.start)] })
    }

    /// The last intervals that begin before a time.
    static func before(_ end: Int64, of rivals: Rivals, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(
            .database(database), .int(rivals.constraint), .bytes(rivals.key), below: [.int(end)], descending: true,
            limit: limit)
    }

    /// The claims of one constraint after a row.
    static func all(
        of constraint: Int64, in database: DatabaseNumber, after row: ClaimRow?, limit: Int
    ) -> Scan<Self> {
        guard let row else { return Scan(.database(database), .int(constraint), limit: limit) }
        return Scan(
            .database(database), .int(constraint), above: [.bytes(row.key), .int(row.slot)], limit: limit)
    }

    /// The claims of a database after a row.
    static func all(in database: DatabaseNumber, after row: ClaimRow?, limit: Int) -> Scan<Self> {
        guard let row else { return Scan(.database(database), limit: limit) }
        return Scan(
            .database(database), above: [.int(row.constraint), .bytes(row.key), .int(row.slot)], limit: limit)
    }
}

/// Identifies records that are rivals: those in a zone to which a constraint applies, with the same values in its fields.
struct Rivals: Hashable, Comparable {
    let constraint: Int64
    let key: [UInt8]

    static func < (left: Self, right: Self) -> Bool {
        left.constraint != right.constraint
            ? left.constraint < right.constraint : left.key.lexicographicallyPrecedes(right.key)
    }
}

/// The beginning of an interval.
struct Beginning: Hashable {
    let rivals: Rivals
    let start: Int64
}
