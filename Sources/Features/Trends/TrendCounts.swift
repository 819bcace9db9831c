import NephosStorage

/// How many records came, went and came back.
struct TrendCounts: Sendable, Equatable {
    var created: Int64 = 0
    var deleted: Int64 = 0
    var restored: Int64 = 0

    /// By how many there are more.
    var net: Int64 { created - deleted + restored }
    var isZero: Bool { created == 0 && deleted == 0 && restored == 0 }

    static func += (left: inout Self, right: Self) {
        left.created += right.created
        left.deleted += right.deleted
        left.restored += right.restored
    }
}

/// The counts of the 96 quarters of a day, of which mostly few have any.
///
/// As bytes: for each quarter that has any, its place in the day (1 byte) and created, deleted and restored, each as a number of 7 bits a
/// byte, the low ones first, all but the last with the high bit set.
struct DayCounts: Sendable, Equatable {
    private(set) var quarters: [UInt8: TrendCounts] = [:]

    init() {}

    /// - Throws: ``NephosStorage/StorageError/corrupt(_:)`` for bytes that no counts have.
    init(_ bytes: [UInt8]) throws(StorageError) {
        var at = 0
        func number() -> Int64? {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while at < bytes.count, shift < 63 {
                let byte = bytes[at]
                at += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return Int64(value) }
                shift += 7
            }
            return nil
        }
        while at < bytes.count {
            let quarter = bytes[at]
            at += 1
            guard quarter < Trends.quartersOfDay, quarters[quarter] == nil, let created = number(),
                let deleted = number(), let restored = number()
            else { throw .corrupt("the counts of a day cannot be read from byte \(at) on") }
            quarters[quarter] = TrendCounts(created: created, deleted: deleted, restored: restored)
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func add(_ number: Int64) {
            var rest = UInt64(bitPattern: number)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        for (quarter, counts) in quarters.sorted(by: { $0.key < $1.key }) where !counts.isZero {
            bytes.append(quarter)
            add(counts.created)
            add(counts.deleted)
            add(counts.restored)
        }
        return bytes
    }

    mutating func add(_ counts: TrendCounts, in quarter: UInt8) { quarters[quarter, default: TrendCounts()] += counts }
}
