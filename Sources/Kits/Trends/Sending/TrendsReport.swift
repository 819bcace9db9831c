import Foundation

/// Counts in the format that a Nephos server imports, so that its charts include them.
///
/// A server stores them by source, type or list, and day: sending the same report again changes nothing.
///
/// Days without a figure are unknown to a server. Therefore a report of a type has each day from the first one with a record to the
/// last count, 10,000 at most, also those on which none was created; a report of a list has the days on which it was counted.
public struct TrendsReport: Sendable, Hashable {
    /// The container that was counted, under the name that the server shows.
    public var source: String
    /// The time zone of days, such as `Europe/Rome`.
    public var zone: String
    public var series: [Series]

    public struct Series: Sendable, Hashable {
        public var type: String
        /// The field of a list; nil for the records of a type.
        public var list: String?
        /// In order.
        public var days: [Day]

        public init(type: String, list: String?, days: [Day]) {
            (self.type, self.list, self.days) = (type, list, days)
        }
    }

    /// How many records were created on a day, or how many elements a list had.
    public struct Day: Sendable, Hashable {
        /// For example `2026-11-23`.
        public var day: String
        public var count: Int

        public init(day: String, count: Int) { (self.day, self.count) = (day, count) }
    }

    public init(source: String, zone: String, series: [Series]) {
        (self.source, self.zone, self.series) = (source, zone, series)
    }

    /// - Parameters:
    ///   - source: For example the identifier of the container.
    ///   - day: The first day to include, such as `2026-11-01`; nil for all. After a first report the days since the last one are
    ///     enough.
    public init(_ figures: TrendsFigures, source: String, since day: String? = nil) {
        self.init(
            source: source, zone: figures.zone,
            series: figures.series.map { series in
                let days = series.countedDays(in: figures.zone).filter { day == nil || $0.key >= day ?? "" }
                    .sorted { $0.key < $1.key }
                return Series(
                    type: series.tracker.recordType, list: series.tracker.list?.field,
                    days: days.map { Day(day: $0.key, count: $0.value) })
            })
    }

    /// The report in parts of at most this many days, which limits the size of requests. Empty if there are no days.
    func parts(daysMax: Int) -> [TrendsReport] {
        var parts: [TrendsReport] = []
        var (part, room): ([Series], Int) = ([], daysMax)
        for series in series {
            var days = series.days[...]
            while !days.isEmpty {
                part.append(Series(type: series.type, list: series.list, days: Array(days.prefix(room))))
                room -= part.last?.days.count ?? 0
                days = days.dropFirst(part.last?.days.count ?? 0)
                guard room == 0 else { continue }
                parts.append(TrendsReport(source: source, zone: zone, series: part))
                (part, room) = ([], daysMax)
            }
        }
        if !part.isEmpty { parts.append(TrendsReport(source: source, zone: zone, series: part)) }
        return parts
    }
}

extension TrendsSeries {
    /// The maximum of days that are added: the first day is what the clock of some device said.
    private static let daysMax = 10_000
    /// The years 1970 to 9999, as in a report: a stored time may be any.
    private static let seconds: ClosedRange<Double> = 0...253_402_300_799

    /// ``days``, and for a type those between that have no record.
    fileprivate func countedDays(in zone: String) -> [String: Int] {
        guard tracker.list == nil, let first = days.keys.min(), let lastCheck, let zone = TimeZone(identifier: zone),
            Self.seconds.contains(lastCheck.timeIntervalSince1970)
        else { return days }
        var (all, calendar) = (days, DayCalendar(zone))
        for back in 0..<Self.daysMax {
            guard let day = calendar.day(back, before: lastCheck), day >= first else { break }
            all[day] = all[day] ?? 0
        }
        return all
    }
}
