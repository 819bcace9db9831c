import Foundation

/// Determines the day of a time in a time zone.
///
/// Days follow the calendar: 23 or 25 hours long when clocks change, and beginning at the first moment after midnight if there is
/// no midnight.
struct DayCalendar: Sendable {
    private let calendar: Calendar
    /// The last day that was returned. Most requests come in order.
    private var last: (day: DateInterval, name: String)?

    init(_ zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// For example `2026-11-23`.
    mutating func day(of date: Date) -> String {
        // The end of an interval is contained in it, but is also the beginning of the next day.
        if let last, last.day.start <= date, date < last.day.end { return last.name }
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let numbers = [(parts.year ?? 0, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)]
        let name = numbers.map { Self.digits($0, $1) }.joined(separator: "-")
        last = calendar.dateInterval(of: .day, for: date).map { ($0, name) }
        return name
    }

    /// The day this many days before that of a date; nil if there is none.
    mutating func day(_ back: Int, before date: Date) -> String? {
        calendar.date(byAdding: .day, value: -back, to: date).map { day(of: $0) }
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}
