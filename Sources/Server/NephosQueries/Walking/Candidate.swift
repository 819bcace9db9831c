import NephosStorage

/// A record found in an index, with its position in the order of the query.
struct Candidate {
    var position: QueryScan.Position
    /// The conditions that the index covers hold.
    var isExact: Bool
}

enum CandidateStep {
    case candidate(Candidate)
    case end
    /// The budget is exhausted.
    case spent
}

/// Candidates in the order of the query, distinct.
protocol CandidateStream {
    mutating func next<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> CandidateStep
}

extension QueryScan.Position {
    /// The order of pages: key, zone, record number.
    @inline(__always)
    static func < (left: Self, right: Self) -> Bool {
        let order = compareKeys(left.key, right.key)
        if order != 0 { return order < 0 }
        return left.zone != right.zone ? left.zone < right.zone : left.record < right.record
    }
}

extension EntryRange {
    /// The part of `interval` after a position in the order; nil if there is none.
    init?(_ interval: KeyInterval, index: IndexNumber, zone: ZoneNumber, after: QueryScan.Position?) {
        self.init(index: index, zone: zone, lower: interval.lower[...], upper: interval.upper.map { $0[...] })
        if let after {
            var key = Array(interval.lower[..<interval.offset])
            key.append(contentsOf: after.key)
            // Records with the same key are ordered by zone, then by number. No key is a prefix of another.
            if zone < after.zone { key.append(0) }
            let order = compareKeys(key[...], lower)
            if order >= 0 { lower = key[...] }
            if order >= 0, zone == after.zone { afterRecord = after.record }
        }
        if let upper, compareKeys(lower, upper) >= 0 { return nil }
    }
}
