public import Foundation

extension TrendsReport: Encodable {
    private enum Key: String, CodingKey { case source, zone, series }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(source, forKey: .source)
        try values.encode(zone, forKey: .zone)
        try values.encode(series.map(Written.init), forKey: .series)
    }

    /// - Throws: `EncodingError` for text that is not valid Unicode.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

/// A series with all of its members, including those without a value.
private struct Written: Encodable {
    let series: TrendsReport.Series

    private enum Key: String, CodingKey { case type, list, days, live }
    private enum DayKey: String, CodingKey { case day, created, total }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(series.type, forKey: .type)
        try values.encode(series.list, forKey: .list)
        // The number of existing records is unknown, because deletions are not visible.
        try values.encodeNil(forKey: .live)
        var days = values.nestedUnkeyedContainer(forKey: .days)
        for day in series.days {
            var written = days.nestedContainer(keyedBy: DayKey.self)
            try written.encode(day.day, forKey: .day)
            try written.encode(day.count, forKey: series.list == nil ? .created : .total)
        }
    }
}
