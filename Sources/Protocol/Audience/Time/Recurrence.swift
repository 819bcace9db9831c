public import CloudKitWire

/// Recurring hours in local time (docs/audiences.md, "Recurrences"): each week `{"days":["sat","sun"],"from":"09:00",
/// "until":"18:00","zone":"Europe/Berlin"}`, or each year `{"from":"12-24 18:00","until":"12-27","zone":"Europe/Berlin"}`.
public struct Recurrence: Sendable, Equatable {
    private enum Pattern: Equatable {
        /// Weekdays, 0 is Sunday, and minutes since midnight: the end may be on the following day.
        case week(days: Set<Int64>, from: Int64, until: Int64)
        case year(from: Day, until: Day)
    }

    /// A time within a year.
    private struct Day: Equatable {
        var month: Int64
        var day: Int64
        var minutes: Int64

        func isAfter(_ other: Day) -> Bool { (month, day, minutes) > (other.month, other.day, other.minutes) }

        /// The 29th of February is the 1st of March in other years.
        func moment(in year: Int64, _ zone: LocalTime) -> Int64 {
            zone.moment(CivilDate(year: year, month: month, day: day).days, minutes)
        }
    }

    private let pattern: Pattern
    private let zone: LocalTime
    private let zoneName: String
    /// Precomputed windows, without gaps between the first and the last.
    private var windows: [Range<Int64>] = []
    /// The time from which they were computed.
    private var windowsFrom = Int64.max

    /// The number of windows to precompute.
    static let windowsAhead = 200

    public static func == (left: Recurrence, right: Recurrence) -> Bool {
        left.pattern == right.pattern && left.zoneName == right.zoneName
    }

    /// - Throws: An error for an unknown weekday or time zone, or an end without a beginning.
    public init(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var days: [Int64]?
        var (from, until, zone): (String?, String?, String?) = (nil, nil, nil)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "days":
                days = try json.readOneOrMore { json throws(WireError) in
                    try json.readValue("a day of the week such as mon") {
                        Self.weekdays.firstIndex(of: $0).map(Int64.init)
                    }
                }
            case "from": from = try json.readText()
            case "until": until = try json.readText()
            case "zone": zone = try json.readText()
            default: throw WireError("a recurrence has the keys days, from, until and zone", offset: json.offset)
            }
        }
        func wrong(_ message: String) -> WireError { WireError(message, offset: start) }
        guard let zoneName = zone else { throw wrong("a recurrence needs a time zone such as Europe/Berlin") }
        guard let zone = LocalTime(zone: zoneName) else {
            throw wrong("there is no time zone \(zoneName.prefix(40))")
        }
        (self.zone, self.zoneName) = (zone, zoneName)
        if let days {
            let (from, until) = (Clock(from ?? "00:00"), Clock(until ?? "24:00"))
            guard let from, let until, from.minutes < 1_440 else {
                throw wrong("from and until must be times of day such as 09:30")
            }
            guard from.minutes != until.minutes else { throw wrong("until must be after from") }
            pattern = .week(days: Set(days), from: from.minutes, until: until.minutes)
        } else {
            guard let from = from.flatMap(Self.day), let until = until.flatMap(Self.day) else {
                throw wrong("without days, from and until must be days of the year such as 12-24 or 12-24 18:00")
            }
            guard from != until else { throw wrong("until must be after from") }
            pattern = .year(from: from, until: until)
        }
    }

    private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    /// `12-24` or `12-24 18:00`
    private static func day(_ text: String) -> Day? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        // A leap year, which has all days.
        guard (1...2).contains(words.count), let date = CivilDate("2000-" + words[0]), date.isInCalendar,
            let clock = Clock(words.count == 2 ? words[1] : "00:00")
        else { return nil }
        return Day(month: date.month, day: date.day, minutes: clock.minutes)
    }

    // MARK: Windows

    /// The times for which calendars are computed, in milliseconds since 1970: until the end of the year 9999. There are no
    /// recurrences beyond.
    public static let moments: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000

    /// Whether the precomputed windows determine the result for this time.
    public func covers(_ now: Int64) -> Bool {
        guard let last = windows.last else { return false }
        return windowsFrom <= now && now < last.upperBound
    }

    public func contains(_ now: Int64) -> Bool {
        if covers(now) {
            // The last window that has begun, or the first.
            var (low, high) = (0, windows.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if windows[middle].lowerBound <= now { low = middle } else { high = middle }
            }
            return windows[low].contains(now)
        }
        return window(after: now)?.contains(now) ?? false
    }

    /// The same recurrence with windows precomputed from `now` on, for fast evaluation.
    public func prepared(at now: Int64) -> Recurrence {
        var prepared = self
        (prepared.windows, prepared.windowsFrom) = ([], now)
        var time = now
        while prepared.windows.count < Self.windowsAhead, let next = window(after: time) {
            prepared.windows.append(next)
            time = next.upperBound
        }
        return prepared
    }

    /// The next time after `now` at which a window begins or ends; nil beyond the last computed year.
    public func nextEdge(after now: Int64) -> Int64? {
        guard let next = window(after: now) else { return nil }
        return next.lowerBound > now ? next.lowerBound : next.upperBound
    }

    /// The precomputed times after `now` at which windows begin and end.
    func edges(after now: Int64) -> [Int64] {
        windows.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > now }
    }

    /// The first window that ends after `now`; nil beyond the last computed year.
    private func window(after now: Int64) -> Range<Int64>? {
        guard Self.moments.contains(now) else { return nil }
        let today = Self.floor(zone.shown(at: now), 86_400_000)
        switch pattern {
        case .week(let days, let from, let until):
            // Yesterday's window may last until today; a week covers all days.
            var day = today - 1
            while true {
                if days.contains(Self.modulo(day + 4, 7)) {
                    let start = zone.moment(day, from)
                    let end = zone.moment(until > from ? day : day + 1, until)
                    if end > now, start < end { return start..<end }
                }
                day += 1
            }
        case .year(let from, let until):
            var year = Int64(CivilTime(second: max(0, today * 86_400)).year) - 1
            while true {
                let start = from.moment(in: year, zone)
                let end = until.moment(in: until.isAfter(from) ? year : year + 1, zone)
                if end > now, start < end { return start..<end }
                year += 1
            }
        }
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        (value - modulo(value, unit)) / unit
    }

    private static func modulo(_ value: Int64, _ unit: Int64) -> Int64 {
        let rest = value % unit
        return rest < 0 ? rest + unit : rest
    }
}
