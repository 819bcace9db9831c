import CloudKitWire

/// Days of the calendar that each client has by its own time zone (docs/audiences.md, "Days"): `"2027-03-07"`, or a list.
public struct LocalDays: Sendable, Equatable {
    /// Since 1970, ascending, each once.
    let days: [Int64]

    private static let day: Int64 = 86_400_000
    /// Clocks are ahead of UTC by at most this time, and behind it by at most ``behindMax``.
    private static let aheadMax: Int64 = 14 * 3_600_000
    private static let behindMax: Int64 = 12 * 3_600_000
    /// Clocks differ from UTC by multiples of this time.
    private static let step: Int64 = 15 * 60_000

    /// Reads one or more days.
    init(_ json: inout JSONReader) throws(WireError) {
        let days = try json.readOneOrMore { json throws(WireError) in
            try json.readValue("a day such as 2027-03-07") { text in
                CivilDate(text[...]).flatMap { $0.isInCalendar ? $0.days : nil }
            }
        }
        self.days = Set(days).sorted()
    }

    /// Whether it is one of these days for a client in this time zone.
    func contains(_ now: Int64, in zone: ClientZone) -> Bool {
        Recurrence.moments.contains(now) && days.contains(zone.day(at: now))
    }

    /// The next time after `now` at which it may begin or cease to be one of these days for some client: a quarter of an hour, as long
    /// as a day has begun in one time zone and has not ended in another. nil for never.
    func nextEdge(after now: Int64) -> Int64? {
        for day in days {
            let (first, last) = (day * Self.day - Self.aheadMax, (day + 1) * Self.day + Self.behindMax)
            if now < first { return first }
            // Both are quarters of an hour.
            if now < last { return first + ((now - first) / Self.step + 1) * Self.step }
        }
        return nil
    }

    /// The first of these times.
    ///
    /// - Returns: `most` times at most; if there are more, `isWhole` is false.
    func edges(after now: Int64, most: Int) -> (times: [Int64], isWhole: Bool) {
        var (times, next) = ([] as [Int64], nextEdge(after: now))
        while let time = next, times.count < most {
            times.append(time)
            next = nextEdge(after: time)
        }
        return (times, next == nil)
    }
}

/// The time zone of a client, which decides which day it is there.
public struct ClientZone: Sendable, Hashable {
    /// As the client calls it.
    public let name: String
    private let time: LocalTime

    /// - Parameter name: A name of the time zone database, such as `Europe/Berlin`; nil for an unknown one.
    public init?(_ name: String) {
        guard let time = LocalTime(zone: name) else { return nil }
        (self.name, self.time) = (name, time)
    }

    /// Days since 1970 on the client's calendar.
    func day(at now: Int64) -> Int64 {
        let (shown, day) = (time.shown(at: now), 86_400_000 as Int64)
        return shown >= 0 ? shown / day : (shown + 1) / day - 1
    }

    public static func == (left: ClientZone, right: ClientZone) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
