import Foundation

/// Counts when records of a type were created, each once, however often it is read.
///
/// A service may show a record some time after it was created, and after later ones. So nothing is final until it is old: what was
/// created before the moment `settled` is counted for good, and what was created since then is counted apart (`open`). The next
/// count takes `open` off, and reads everything from `settled` on. Which side a record is on is decided by its time alone, so many of
/// one moment are all on the same side, and no names have to be remembered.
///
/// `settled` moves on to what was at least `overlap` old when reading began, by the service's clock: this device's may be wrong. The service
/// told two times that cannot be later than that beginning: when it stored the tracker, and when the newest record was created, less
/// what time went by since.
struct CreationTally: Sendable {
    private(set) var standing: Standing
    /// What was created before is counted already.
    let from: Date?
    /// When the service stored what is kept, which was before reading began.
    private let saved: Date?
    /// In seconds.
    private let overlap: TimeInterval
    private var newest: Date?
    /// What was read and is not settled.
    private var tail: [Date] = []
    private var ruler: DayRuler

    /// - Parameter overlap: After so many seconds every record is shown by the service.
    init(_ standing: Standing, zone: TimeZone, overlap: TimeInterval) {
        (from, saved, self.overlap) = (standing.settled, standing.saved, overlap)
        ruler = DayRuler(zone)
        self.standing = standing
        for (day, count) in standing.open { self.standing.days[day, default: 0] -= count }
        self.standing.days = self.standing.days.filter { $0.value > 0 }
        self.standing.open = [:]
    }

    /// - Parameter dates: When the records of a page were created, the oldest first.
    mutating func add(_ dates: [Date]) {
        for date in dates where from.map({ $0 <= date }) ?? true {
            standing.days[ruler.day(of: date), default: 0] += 1
            newest = newest.map { max($0, date) } ?? date
            tail.append(date)
        }
    }

    /// Settles what can be.
    ///
    /// - Parameters:
    ///   - seconds: Since reading began.
    ///   - isEnd: Whether everything was read. Before, another record of the newest's second may follow.
    mutating func settle(after seconds: TimeInterval, isEnd: Bool) {
        let began = [saved, newest?.addingTimeInterval(-seconds)].compactMap { $0 }.max()
        var moments = [began?.addingTimeInterval(-overlap)].compactMap { $0 }
        if !isEnd, let newest { moments.append(newest) }
        if let moment = moments.min() {
            // A whole second, which no way of writing a time down rounds.
            let second = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
            standing.settled = standing.settled.map { max($0, second) } ?? second
        }
        if let settled = standing.settled { tail.removeAll { $0 < settled } }
        standing.open = [:]
        for date in tail { standing.open[ruler.day(of: date), default: 0] += 1 }
    }

    mutating func finish(at date: Date) { standing.lastCheck = date }
}
