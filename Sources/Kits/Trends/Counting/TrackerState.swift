import Foundation

/// The stored state of a tracker, as a value.
struct TrackerState: Sendable, Hashable {
    let tracker: TrendsTracker
    /// The time zone of ``days``.
    var zone: String
    var lastCheck: Date?
    /// Of a type: created records by day. Of a list: its elements by day.
    var days: [String: Int] = [:]

    /// Of a type: records created earlier are counted for good. A whole second; nil if nothing is settled.
    var settled: Date?
    /// Of a type: the part of ``days`` created since ``settled``. It is counted again each time.
    var open: [String: Int] = [:]

    /// Of a list.
    var total: Int?
    var delta: Int?
    /// Of a list: the records that it was counted from (``TrendsList/Choice``).
    var choice: String?

    /// When the service stored it, by its clock; nil if it has not yet.
    var saved: Date?

    init(_ tracker: TrendsTracker, zone: String) { (self.tracker, self.zone) = (tracker, zone) }

    /// Discards the counts, so that everything is read again.
    mutating func beginAgain(in zone: String) {
        (self.zone, days, open, settled, lastCheck) = (zone, [:], [:], nil, nil)
    }

    /// Records the length of a list.
    mutating func count(_ elements: Int, choice: String, on day: String) {
        // Lengths of other records are not comparable, on any day.
        if let before = self.choice, before != choice { days = [:] }
        delta = self.choice == choice ? total.flatMap { Self.difference(elements, $0) } : nil
        (total, self.choice, days[day]) = (elements, choice, elements)
    }

    /// - Returns: nil if it overflows.
    private static func difference(_ count: Int, _ before: Int) -> Int? {
        let (difference, isOverflow) = count.subtractingReportingOverflow(before)
        return isOverflow ? nil : difference
    }

    var series: TrendsSeries {
        TrendsSeries(tracker: tracker, days: days, lastCheck: lastCheck, total: total, delta: delta)
    }
}
