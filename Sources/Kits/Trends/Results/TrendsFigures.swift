public import Foundation

/// The counts of one tracker.
public struct TrendsSeries: Sendable, Hashable {
    public let tracker: TrendsTracker
    /// Of a type: how many records were created on each day that has any. Of a list: how many elements it had when it was last
    /// counted on that day. Days are written as `2026-11-23`.
    public let days: [String: Int]
    /// When it was last counted, by the clock of the counting device; nil if never.
    public let lastCheck: Date?
    /// Of a list: how many elements it had at the last check.
    public let total: Int?
    /// Of a list: the change in the number of elements from the previous check to the last one; nil if there was no previous one.
    public let delta: Int?
}

/// All counts, and the derived values of the article about CKTrends under its names (docs/trends-kit.md).
public struct TrendsFigures: Sendable, Hashable {
    /// The time zone of days, such as `Europe/Rome`.
    public let zone: String
    /// In the order of the trackers.
    public let series: [TrendsSeries]

    /// TRACKING, its types.
    public var trackedTypes: [String] { types.map(\.tracker.name) }
    /// TRACKING, its lists, such as `Novenas.names`.
    public var trackedLists: [String] { lists.map(\.tracker.name) }
    /// LAST_CHECK: when each type was last counted.
    public var lastCheck: [String: Date] { values(types) { $0.lastCheck } }
    /// MAX_COUNT: how many records of each type were created on the day with the most. Types without any are left out.
    public var maxCount: [String: Int] { values(types) { $0.days.values.max() } }
    /// EARLIEST_DATE: the first day on which a record of each type was created.
    public var earliestDate: [String: String] { values(types) { $0.days.keys.min() } }
    /// TOTALS: how many elements each list has.
    public var totals: [String: Int] { values(lists) { $0.total } }
    /// DELTAS: how many elements each list has gained or lost from the previous check to the last one.
    public var deltas: [String: Int] { values(lists) { $0.delta } }

    private var types: [TrendsSeries] { series.filter { $0.tracker.list == nil } }
    private var lists: [TrendsSeries] { series.filter { $0.tracker.list != nil } }

    private func values<Value>(_ series: [TrendsSeries], _ value: (TrendsSeries) -> Value?) -> [String: Value] {
        Dictionary(series.compactMap { one in value(one).map { (one.tracker.name, $0) } }) { first, _ in first }
    }
}

extension Date {
    /// Milliseconds since 1970, clamped to the range of Int64: a stored time may be any.
    fileprivate var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }
}

extension TrendsFigures: Encodable {
    private enum Key: String, CodingKey {
        case tracking = "TRACKING"
        case lastCheck = "LAST_CHECK"
        case maxCount = "MAX_COUNT"
        case earliestDate = "EARLIEST_DATE"
        case totals = "TOTALS"
        case deltas = "DELTAS"
    }

    /// Encodes the derived values under the article's names; times are milliseconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(["types": trackedTypes, "lists": trackedLists], forKey: .tracking)
        let moments = lastCheck.mapValues(\.milliseconds)
        try values.encode(moments, forKey: .lastCheck)
        try values.encode(maxCount, forKey: .maxCount)
        try values.encode(earliestDate, forKey: .earliestDate)
        try values.encode(totals, forKey: .totals)
        try values.encode(deltas, forKey: .deltas)
    }
}
