import Audience
import CloudKitWire
import NephosStorage

/// The days, weeks, months and years of a time zone.
struct Days: Sendable {
    enum Period: String, Sendable, CaseIterable { case day, week, month, year }

    let name: String
    private let local: LocalTime

    /// - Parameter zone: A name of the time zone database, such as `Europe/Rome`; the result is nil for an unknown one.
    init?(zone: String) {
        guard let local = LocalTime(zone: zone) else { return nil }
        (name, self.local) = (zone, local)
    }

    /// When a day begins: at midnight, or at the first moment after it if there is no midnight.
    ///
    /// - Parameter day: Since 1970.
    func beginning(of day: Int64) -> Milliseconds { local.moment(day, 0) }

    /// The day of a moment, in days since 1970.
    func day(of time: Milliseconds) -> Int64 {
        let day = Self.floor(local.shown(at: time), by: 86_400_000)
        // If clocks are set back over midnight, the day has already begun.
        return beginning(of: day + 1) <= time ? day + 1 : day
    }

    /// The first day of the period that contains a day. Weeks begin on Monday.
    static func first(of period: Period, _ day: Int64) -> Int64 {
        let date = CivilDate(day)
        switch period {
        case .day: return day
        // 1970-01-01 was a Thursday.
        case .week: return day - ((day + 3) % 7 + 7) % 7
        case .month: return CivilDate(year: date.year, month: date.month, day: 1).days
        case .year: return CivilDate(year: date.year, month: 1, day: 1).days
        }
    }

    /// The first day of the next period.
    ///
    /// - Parameter day: The first of one.
    static func next(_ period: Period, after day: Int64) -> Int64 {
        let date = CivilDate(day)
        switch period {
        case .day: return day + 1
        case .week: return day + 7
        case .month:
            return date.month == 12
                ? CivilDate(year: date.year + 1, month: 1, day: 1).days
                : CivilDate(year: date.year, month: date.month + 1, day: 1).days
        case .year: return CivilDate(year: date.year + 1, month: 1, day: 1).days
        }
    }

    static func floor(_ number: Int64, by step: Int64) -> Int64 {
        let (whole, rest) = number.quotientAndRemainder(dividingBy: step)
        return rest < 0 ? whole - 1 : whole
    }
}

/// A calendar day.
struct CivilDate: Sendable, Equatable, CustomStringConvertible {
    let year, month, day: Int64

    init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    /// - Parameter days: Since 1970, not negative.
    init(_ days: Int64) {
        let time = CivilTime(second: max(0, days) * 86_400)
        (year, month, day) = (Int64(time.year), Int64(time.month), Int64(time.day))
    }

    /// - Parameter text: Such as `2026-11-23`; the result is nil if it is not a valid day.
    init?(_ text: some StringProtocol) {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 3, words[0].utf8.count == 4, words[1].utf8.count == 2, words[2].utf8.count == 2,
            words.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }), let year = Int64(words[0]),
            let month = Int64(words[1]), let day = Int64(words[2]), 1970...9999 ~= year
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard 1...12 ~= month, CivilDate(date.days) == date else { return nil }
        self = date
    }

    /// Since 1970.
    var days: Int64 { CivilTime.daysSince1970(year: year, month: month, day: day) }

    var description: String {
        // Ten letters, written directly because every period of a response has them.
        String(unsafeUninitializedCapacity: 10) { text in
            var place = 0
            for (number, digits) in [(year, 4), (month, 2), (day, 2)] {
                var rest = number
                for digit in (place..<place + digits).reversed() {
                    text[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                place += digits
                if place < 10 { text[place] = UInt8(ascii: "-") }
                place += 1
            }
            return 10
        }
    }
}
