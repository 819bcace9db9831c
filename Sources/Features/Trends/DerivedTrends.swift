import CloudKitWire
import NephosDomain
import NephosStorage

/// The values that the article on CKTrends derives from counts: of all that is shown, in one reading.
struct DerivedTrends: Sendable {
    private let records: TrendQuestion
    private let lists: [TrendQuestion]

    /// - Parameter since: The first day that is needed, since 1970; nil for all.
    init(_ settings: TrendSettings, _ catalog: Catalog, since: Int64? = nil, zone: String? = nil) throws(TrendFailure) {
        func question(_ subject: TrendQuestion.Subject) throws(TrendFailure) -> TrendQuestion {
            var question = try TrendQuestion(
                types: [], since: nil, until: nil, by: nil, zone: zone, isPrivate: false, subject: subject, settings,
                catalog)
            question.since = since
            return question
        }
        records = try question(.records)
        var fields: [Name] = []
        for part in settings.parts
        where !part.isSplit && catalog.types[part.type] != nil && !fields.contains(part.field) {
            fields.append(part.field)
        }
        var lists: [TrendQuestion] = []
        for field in fields { lists.append(try question(.list(field))) }
        self.lists = lists
    }

    var days: Days { records.days }

    func reading(_ catalog: Catalog) -> ReadSet {
        var set = records.reading(catalog)
        for list in lists { set.append(list.reading(catalog)) }
        return set
    }

    /// What is known at a moment.
    struct Figures: Sendable {
        let records: TrendAnswer
        /// With their names, such as `Novenas.names`.
        let lists: [(name: String, series: TrendAnswer.Series)]

        /// By names that no two have: how many records of a type were ever created, and how long lists are.
        var figures: [String: Int64] {
            var figures = Dictionary(records.series.map { ("type \($0.type)", $0.total.created) }) { first, _ in first }
            for list in lists { figures["list \(list.name)"] = list.series.total.net }
            return figures
        }
    }

    func figures(_ reading: Reading, now: Milliseconds) throws -> Figures {
        let series = try lists.flatMap { try $0.answer(reading, now: now).series }
        let plain = series.map { "\($0.type).\($0.list?.field.text ?? "")" }
        return Figures(
            records: try records.answer(reading, now: now),
            lists: zip(plain, series).map { name, series in
                // Where a list is counted in several ways each says which.
                let isAlone = plain.count { $0 == name } == 1
                return (isAlone ? name : "\(name) of \(series.list?.of ?? "")", series)
            })
    }
}

extension DerivedTrends.Figures {
    /// `TRACKING`, `LAST_CHECK`, `MAX_COUNT`, `EARLIEST_DATE` and `TOTALS`, in the article's words.
    var totals: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.object("TRACKING") { json in
            json.array("types", records.series.map(\.type.text))
            json.array("lists", lists.map(\.name))
        }
        json.numbers("LAST_CHECK", records.series.map { ($0.type.text, records.asOf) })
        json.numbers("MAX_COUNT", records.series.map { ($0.type.text, $0.counts.map(\.created).max() ?? 0) })
        json.object("EARLIEST_DATE") { json in
            for one in records.series {
                guard let first = one.counts.firstIndex(where: { $0.created > 0 }) else { continue }
                json.memberOfText(one.type.text, "\(CivilDate(records.starts[first]))")
            }
        }
        json.numbers("TOTALS", lists.map { ($0.name, $0.series.total.net) })
        json.endObject()
        return json.bytes
    }

    /// By how much lists became longer since a mark; of all times where there is none.
    func deltas(since mark: TrendMarkRow?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.numbers("DELTAS", changes(since: mark))
        json.since(mark)
        json.endObject()
        return json.bytes
    }

    func changes(since mark: TrendMarkRow?) -> [(name: String, number: Int64)] {
        let before = mark?.figures ?? [:]
        return lists.map { ($0.name, $0.series.total.net - (before["list \($0.name)"] ?? 0)) }
    }

    /// Records created today and yesterday, and since a mark where whoever asks has a name.
    func feed(since mark: TrendMarkRow?, hasViewer: Bool) -> [UInt8] {
        let before = mark?.figures ?? [:]
        func created(_ back: Int) -> [(String, Int64)] {
            records.series.map { ($0.type.text, $0.counts.dropLast(back).last?.created ?? 0) }
        }
        var json = JSONWriter()
        json.beginObject()
        json.numbers("today", created(0))
        json.numbers("yesterday", created(1))
        if hasViewer {
            json.numbers(
                "sinceLastLook",
                records.series.map { ($0.type.text, $0.total.created - (before["type \($0.type)"] ?? 0)) })
            json.since(mark)
        }
        json.member("asOf", records.asOf)
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        key(name)
        beginObject()
        body(&self)
        endObject()
    }

    fileprivate mutating func array(_ name: StaticString, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    fileprivate mutating func numbers(_ name: StaticString, _ numbers: [(name: String, number: Int64)]) {
        object(name) { json in
            for (name, number) in numbers {
                json.key(named: Name(name))
                json.int64(number)
            }
        }
    }

    fileprivate mutating func memberOfText(_ name: String, _ text: String) {
        key(named: Name(name))
        string(text)
    }

    fileprivate mutating func since(_ mark: TrendMarkRow?) {
        key("since")
        if let mark { int64(mark.at) } else { null() }
    }
}
