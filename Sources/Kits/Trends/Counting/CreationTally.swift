import Foundation

/// Counts the creation times of records of a type, each record once, however often it is read.
///
/// A service may return a record only some time after its creation, and after later ones. So counts become final only after a
/// delay: records created before `settled` are counted for good, and later ones are counted separately (`open`). The next count
/// subtracts `open` and reads everything from `settled` on. The creation time alone decides the side of a record, so records with
/// the same time are all on the same side, and no names have to be stored.
///
/// `settled` advances to the moment `overlap` seconds before reading began, by the service's clock: this device's may be wrong. Two
/// times of the service cannot be later than that beginning: when it stored the tracker, and when the newest record was created,
/// less the time elapsed since reading began.
struct CreationTally: Sendable {
    private(set) var state: TrackerState
    /// Records created earlier are already counted.
    let from: Date?
    /// When the service stored the counts, which was before reading began.
    private let saved: Date?
    /// In seconds.
    private let overlap: TimeInterval
    private var newest: Date?
    /// Records that were read and are not settled.
    private var tail: [Date] = []
    private var ruler: DayCalendar

    /// - Parameter overlap: The number of seconds after which the service returns every record.
    init(_ state: TrackerState, zone: TimeZone, overlap: TimeInterval) {
        (from, saved, self.overlap) = (state.settled, state.saved, overlap)
        ruler = DayCalendar(zone)
        self.state = state
        for (day, count) in state.open { self.state.days[day, default: 0] -= count }
        self.state.days = self.state.days.filter { $0.value > 0 }
        self.state.open = [:]
    }

    /// - Parameter dates: Creation times of the records of a page, oldest first.
    mutating func add(_ dates: [Date]) {
        for date in dates where from.map({ $0 <= date }) ?? true {
            state.days[ruler.day(of: date), default: 0] += 1
            newest = newest.map { max($0, date) } ?? date
            tail.append(date)
        }
    }

    /// Advances `settled` as far as possible.
    ///
    /// - Parameters:
    ///   - seconds: The time since reading began.
    ///   - isEnd: Whether everything was read. Otherwise another record with the newest time may follow.
    mutating func settle(after seconds: TimeInterval, isEnd: Bool) {
        let began = [saved, newest?.addingTimeInterval(-seconds)].compactMap { $0 }.max()
        var moments = [began?.addingTimeInterval(-overlap)].compactMap { $0 }
        if !isEnd, let newest { moments.append(newest) }
        if let moment = moments.min() {
            // A whole second, which no time format rounds.
            let second = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
            state.settled = state.settled.map { max($0, second) } ?? second
        }
        if let settled = state.settled { tail.removeAll { $0 < settled } }
        state.open = [:]
        for date in tail { state.open[ruler.day(of: date), default: 0] += 1 }
    }

    mutating func finish(at date: Date) { state.lastCheck = date }
}
