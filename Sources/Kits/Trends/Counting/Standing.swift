import Foundation

/// What is kept of a tracker, as a value.
struct Standing: Sendable, Hashable {
    let tracker: TrendsTracker
    /// The zone of time that ``days`` belong to.
    var zone: String
    var lastCheck: Date?
    /// Of a type: created records by day. Of a list: its elements by day.
    var days: [String: Int] = [:]

    /// Of a type: what was created before is counted for good. A whole second; nil where nothing is.
    var settled: Date?
    /// Of a type: what of ``days`` was created since ``settled``. It is counted anew each time.
    var open: [String: Int] = [:]

    /// Of a list.
    var total: Int?
    var delta: Int?
    /// Of a list: which records it was counted of (``TrendsList/Choice``).
    var choice: String?

    /// When the service stored it, by its clock; nil where it did not yet.
    var saved: Date?

    init(_ tracker: TrendsTracker, zone: String) { (self.tracker, self.zone) = (tracker, zone) }

    /// Forgets what was counted, so that everything is read again.
    mutating func beginAgain(in zone: String) {
        (self.zone, days, open, settled, lastCheck) = (zone, [:], [:], nil, nil)
    }

    /// Notes how long a list is.
    mutating func count(_ elements: Int, choice: String, on day: String) {
        // What other records had is nothing to compare with, on no day.
        if let before = self.choice, before != choice { days = [:] }
        delta = self.choice == choice ? total.map { elements - $0 } : nil
        (total, self.choice, days[day]) = (elements, choice, elements)
    }

    var series: TrendsSeries {
        TrendsSeries(tracker: tracker, days: days, lastCheck: lastCheck, total: total, delta: delta)
    }
}
