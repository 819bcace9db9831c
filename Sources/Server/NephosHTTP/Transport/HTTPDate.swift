import NephosEndpoints

/// Dates as HTTP's `Date` header writes them (RFC 9110 §5.6.7).
enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` for a number of seconds since 1970, which is not negative.
    static func text(second: Int64) -> String {
        let date = CivilTime(second: second)
        return "\(days[date.weekday]), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(two(date.hour)):\(two(date.minute)):\(two(date.second)) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A moment in the calendar of UTC, without Foundation: logs and headers need one per second.
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
        // Years begin in March here, so that the leap day is the last; eras are the 400 years in which the calendar repeats.
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
}
