/// A calendar date and time in UTC, without Foundation: logs and headers need one per second.
package struct CivilTime: Sendable, Equatable {
    package let year: Int
    /// 1…12
    package let month: Int
    /// 1…31
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    /// 0 is Sunday.
    package let weekday: Int

    /// - Parameter second: Seconds since 1970, not negative.
    package init(second: Int64) {
        let clock = Int(second % 86_400)
        let days = Int(second / 86_400)
        hour = clock / 3_600
        minute = clock / 60 % 60
        self.second = clock % 60
        weekday = (days + 4) % 7
        // Years begin in March here, so that the leap day is last; an era is the 400 years after which the calendar repeats.
        let fromMarch0000 = days + 719_468
        let era = fromMarch0000 / 146_097
        let dayOfEra = fromMarch0000 % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// Whether the Gregorian calendar has this day, from the year 1 on.
    package static func hasDay(year: Int64, month: Int64, day: Int64) -> Bool {
        guard year >= 1, 1...12 ~= month, day >= 1 else { return false }
        let next = month == 12 ? (year: year + 1, month: 1) : (year: year, month: month + 1)
        return daysSince1970(year: year, month: month, day: day)
            < daysSince1970(year: next.year, month: next.month, day: 1)
    }

    /// Two digits.
    package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
