/// Counts as a Nephos server takes them in, so that its charts have them.
///
/// A server keeps them by source, type or list, and day: to send the same once more changes nothing.
public struct TrendsReport: Sendable, Hashable {
    /// The container that was counted, as the server calls it.
    public var source: String
    /// The zone of time that days belong to, such as `Europe/Rome`.
    public var zone: String
    public var series: [Series]

    public struct Series: Sendable, Hashable {
        public var type: String
        /// The field of a list; nil for the records of a type.
        public var list: String?
        /// In their order.
        public var days: [Day]

        public init(type: String, list: String?, days: [Day]) {
            (self.type, self.list, self.days) = (type, list, days)
        }
    }

    /// How many records were created on a day, or how many elements a list had.
    public struct Day: Sendable, Hashable {
        /// Such as `2026-11-23`.
        public var day: String
        public var count: Int

        public init(day: String, count: Int) { (self.day, self.count) = (day, count) }
    }

    public init(source: String, zone: String, series: [Series]) {
        (self.source, self.zone, self.series) = (source, zone, series)
    }

    /// - Parameters:
    ///   - source: Such as the identifier of the container.
    ///   - day: From which day on, such as `2026-11-01`; nil for all. After a first report the days since the last one are enough.
    public init(_ figures: TrendsFigures, source: String, since day: String? = nil) {
        self.init(
            source: source, zone: figures.zone,
            series: figures.series.map { series in
                let days = series.days.filter { day == nil || $0.key >= day ?? "" }.sorted { $0.key < $1.key }
                return Series(
                    type: series.tracker.recordType, list: series.tracker.list?.field,
                    days: days.map { Day(day: $0.key, count: $0.value) })
            })
    }

    /// The same in parts of at most so many days, for requests that are not too long. None where there is no day.
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
