import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension TrendAnswer {
    /// ``columnsJSON``, and with each series its totals, its first day, and a picture as text.
    ///
    /// - Parameter draw: Draws a series.
    func json(_ picture: TrendPicture, draw: (Series, PagePicture) -> String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("view", picture.view.rawValue)
        beginColumns(&json)
        json.beginArray()
        for (place, one) in series.enumerated() {
            json.beginObject()
            one.writeColumns(&json)
            json.member("title", one.title)
            json.member("heading", picture.view.title(of: one, by: period.rawValue))
            if let first = one.firstDay { json.member("first", "\(CivilDate(first))") }
            // A list has a column with this name.
            if one.list == nil { json.write(totals: one.total) } else { json.member("length", one.live.last ?? 0) }
            json.member("svg", draw(one, PagePicture(id: "\(picture.id)-\(place)", width: picture.width)))
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension TrendAnswer {
    /// The minimum number of periods shown, even if the first have no figures.
    private static let periodsMin = 8

    /// Without the periods before the first record of any series, so that a young type does not have an empty chart.
    var sinceFirst: TrendAnswer {
        guard let first = series.compactMap(\.firstDay).min() else { return self }
        let empty = starts.prefix { Days.next(period, after: $0) <= first }.count
        let count = max(0, min(empty, starts.count - Self.periodsMin))
        return TrendAnswer(
            days: days, period: period, starts: Array(starts.dropFirst(count)), isLastPartial: isLastPartial,
            asOf: asOf,
            series: series.map { one in
                var rest = one
                rest.drop(first: count)
                return rest
            }, isSplit: isSplit, progress: progress)
    }
}

extension TrendQuestion {
    /// For a query with `last=30`, takes that many periods up to the last one requested.
    ///
    /// - Throws: ``Refusal/badRequest(_:)``.
    mutating func takeLast(of target: String, now: Milliseconds) throws(Refusal) {
        guard let count = try Self.last(of: target, isAlone: since == nil) else { return }
        let today = days.day(of: now)
        var first = Days.first(of: period, min(until ?? today, today))
        for _ in 1..<count where first > 0 { first = Days.first(of: period, first - 1) }
        since = max(0, first)
    }

    /// The number of periods that a query requests with `last=30`; nil if it does not.
    ///
    /// - Parameter isAlone: Whether the query has no other start.
    /// - Throws: ``Refusal/badRequest(_:)``.
    static func last(of target: String, isAlone: Bool) throws(Refusal) -> Int? {
        guard let text = RequestQuery.value(of: "last", in: target) else { return nil }
        guard isAlone, let count = Int(text), 1...periodsMax ~= count else {
            throw .badRequest("last must be a number of periods from 1 to \(periodsMax), without since")
        }
        return count
    }
}

extension JSONWriter {
    fileprivate mutating func write(totals: TrendCounts) {
        key("total")
        beginObject()
        member("created", totals.created)
        member("deleted", totals.deleted)
        member("restored", totals.restored)
        member("live", totals.net)
        endObject()
    }
}
