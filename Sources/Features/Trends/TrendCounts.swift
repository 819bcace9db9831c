import NephosStorage

/// How many records came, went and came back.
struct TrendCounts: Sendable, Equatable {
    var created: Int64 = 0
    var deleted: Int64 = 0
    var restored: Int64 = 0
    /// Of one value of a field: how many more records changed to it than from it. Of a list: by how many elements it became longer.
    var moved: Int64 = 0

    /// By how many there are more.
    var net: Int64 { created - deleted + restored + moved }
    var isZero: Bool { created == 0 && deleted == 0 && restored == 0 && moved == 0 }

    static func += (left: inout Self, right: Self) {
        left.created += right.created
        left.deleted += right.deleted
        left.restored += right.restored
        left.moved += right.moved
    }
}

/// The counts of the 96 quarters of a day, of which mostly few have any.
///
/// As bytes: for each quarter that has any, its place in the day (1 byte) and created, deleted and restored (``NumberWriter``).
struct DayCounts: Sendable, Equatable {
    private(set) var quarters: [UInt8: TrendCounts] = [:]

    init() {}

    /// - Parameter hasMoved: Whether each has ``TrendCounts/moved`` as well.
    /// - Throws: ``NephosStorage/StorageError/corrupt(_:)`` for bytes that no counts have.
    init(_ bytes: [UInt8], hasMoved: Bool = false) throws(StorageError) {
        var reader = NumberReader(bytes)
        while let quarter = reader.byte() {
            guard quarter < Trends.quartersOfDay, quarters[quarter] == nil, let created = reader.number(),
                let deleted = reader.number(), let restored = reader.number(),
                let moved = hasMoved ? reader.signed() : 0
            else { throw .corrupt("the counts of a day cannot be read from byte \(reader.at) on") }
            quarters[quarter] = TrendCounts(created: created, deleted: deleted, restored: restored, moved: moved)
        }
    }

    var bytes: [UInt8] { bytes(hasMoved: false) }

    func bytes(hasMoved: Bool) -> [UInt8] {
        var writer = NumberWriter()
        for (quarter, counts) in quarters.sorted(by: { $0.key < $1.key }) where !counts.isZero {
            writer.byte(quarter)
            writer.number(counts.created)
            writer.number(counts.deleted)
            writer.number(counts.restored)
            if hasMoved { writer.signed(counts.moved) }
        }
        return writer.bytes
    }

    mutating func add(_ counts: TrendCounts, in quarter: UInt8) { quarters[quarter, default: TrendCounts()] += counts }
}
