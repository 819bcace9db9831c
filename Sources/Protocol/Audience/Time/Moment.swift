import CloudKitWire
import Foundation

/// Times as people write them: `2027-03-07T08:00:00Z`, or as local time: `2027-03-07 00:00 America/Los_Angeles`.
public enum Moment {
    /// Milliseconds since 1970; nil for an invalid time, such as the 30th of February or an unknown time zone.
    public static func milliseconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 1:
            guard let second = ISO8601.milliseconds(text), let date = CivilDate(words[0].prefix(10)), date.isInCalendar
            else { return nil }
            let fraction = text.utf8.dropFirst(20).prefix { $0 &- UInt8(ascii: "0") < 10 }.prefix(3)
            let digits = Array(fraction) + Array(repeating: UInt8(ascii: "0"), count: 3 - fraction.count)
            return second + (Digits.number(digits) ?? 0)
        case 3:
            guard let date = CivilDate(words[0]), date.isInCalendar, let clock = Clock(words[1]),
                let zone = LocalTime(zone: String(words[2]))
            else { return nil }
            return zone.moment(date.days, clock.minutes)
        default: return nil
        }
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
    var isInCalendar: Bool {
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return days < next.days
    }
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

/// Local time in a time zone.
package struct LocalTime: Sendable {
    private let zone: TimeZone
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// - Parameter zone: A name of the time zone database, such as `Europe/Berlin`; nil for an unknown one.
    package init?(zone name: String) {
        // Foundation would resolve an ambiguous abbreviation to one of several time zones.
        guard name.contains("/") || name == "UTC" || name == "GMT", let zone = TimeZone(identifier: name) else {
            return nil
        }
        self.zone = zone
    }

    /// The first time at which clocks show this, in milliseconds since 1970; if they skip it, the time of the switch.
    ///
    /// - Parameters:
    ///   - days: Since 1970.
    ///   - minutes: Since midnight; any number.
    package func moment(_ days: Int64, _ minutes: Int64) -> Int64 {
        let shown = days * Self.day + minutes * Self.minute
        let before = shown - offset(at: shown - Self.day)
        if offset(at: before) == shown - before { return before }
        let after = shown - offset(at: shown + Self.day)
        if offset(at: after) == shown - after { return after }
        // Clocks are set forward between the two.
        var (low, high) = (min(before, after), max(before, after))
        let late = offset(at: high)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == late { high = middle } else { low = middle }
        }
        return high
    }

    /// The local time at a moment, as milliseconds since 1970-01-01 local time.
    package func shown(at moment: Int64) -> Int64 { moment + offset(at: moment) }

    private func offset(at moment: Int64) -> Int64 {
        // Whole seconds, at which time zones change.
        let date = Date(timeIntervalSince1970: Double(moment >= 0 ? moment / 1_000 : (moment - 999) / 1_000))
        return Int64(zone.secondsFromGMT(for: date)) * 1_000
    }
}

extension JSONReader {
    mutating func readMoment() throws(WireError) -> Int64 {
        try readValue("a moment such as 2027-03-07T08:00:00Z or 2027-03-07 00:00 Europe/Berlin") {
            Moment.milliseconds($0)
        }
    }
}
