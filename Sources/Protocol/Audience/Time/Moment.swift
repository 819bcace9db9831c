import CloudKitWire

/// Times as people write them: of RFC 3339, such as `2027-03-07T08:00:00Z` or `2027-03-07T09:00:00+01:00`, or as local
/// time: `2027-03-07 00:00 America/Los_Angeles`.
public enum Moment {
    /// Milliseconds since 1970; nil for an invalid time, such as the 30th of February or an unknown time zone.
    public static func milliseconds(_ text: String) -> Int64? {
        if let time = ISO8601.milliseconds(text) { return time }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let date = CivilDate(words[0]), date.isInCalendar, let clock = Clock(words[1]),
            let zone = LocalTime(zone: String(words[2]))
        else { return nil }
        return zone.moment(date.days, clock.minutes)
    }
}

/// A day of the Gregorian calendar.
struct CivilDate {
    let year, month, day: Int64

    init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    /// `2027-03-07`
    init?(_ text: Substring) {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 3, words[0].utf8.count == 4, words[1].utf8.count == 2, words[2].utf8.count == 2,
            let year = Digits.number(words[0].utf8), let month = Digits.number(words[1].utf8, max: 12),
            let day = Digits.number(words[2].utf8, max: 31), month > 0, day > 0
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Days since 1970. A day beyond the end of its month counts into the next one.
    var days: Int64 { CivilTime.daysSince1970(year: year, month: month, day: day) }

    /// Whether its month has that day.
    var isInCalendar: Bool { CivilTime.hasDay(year: year, month: month, day: day) }
}

/// A local time of day: `18:30`; `24:00` is the end of a day.
struct Clock {
    /// Since midnight.
    let minutes: Int64

    init?(_ text: some StringProtocol) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy({ $0.utf8.count == 2 }),
            let hours = Digits.number(words[0].utf8, max: 24), let minutes = Digits.number(words[1].utf8, max: 59),
            hours < 24 || minutes == 0
        else { return nil }
        self.minutes = hours * 60 + minutes
    }
}

extension JSONReader {
    mutating func readMoment() throws(WireError) -> Int64 {
        try readValue("a moment such as 2027-03-07T08:00:00Z or 2027-03-07 00:00 Europe/Berlin") {
            Moment.milliseconds($0)
        }
    }
}
