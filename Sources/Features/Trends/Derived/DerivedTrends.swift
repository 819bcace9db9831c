import CloudKitWire
import NephosDomain
import NephosStorage

/// The values that the article on CKTrends derives from counts: for everything that is shown, in one read.
struct DerivedTrends: Sendable {
    /// With a first day, of as many types as a question can have; without, one for each type, as each has its own first day.
    private let records: [TrendQuestion]
    private let lists: [TrendQuestion]
    let days: Days

    /// The limit of periods of all series together.
    static let rowsMax = 1_000_000

    /// - Parameter since: The first day needed, since 1970; nil for all.
    init(_ settings: TrendSettings, _ catalog: Catalog, since: Int64? = nil, zone: String? = nil) throws(TrendFailure) {
        func question(
            _ types: [Name], _ subject: TrendQuestion.Subject
        ) throws(TrendFailure) -> TrendQuestion {
            var question = try TrendQuestion(
                types: types.map(\.text), since: nil, until: nil, by: nil, zone: zone, isPrivate: false,
                subject: subject, settings, catalog)
            question.since = since
            return question
        }
        days = try question(["Users"], .records).days
        var records: [TrendQuestion] = []
        var types = settings.shown(false, in: catalog)[...]
        while !types.isEmpty {
            let some = types.prefix(since == nil ? 1 : TrendQuestion.typesMax)
            records.append(try question(Array(some), .records))
            types = types.dropFirst(some.count)
        }
        self.records = records
        var lists: [TrendQuestion] = []
        var known: Set<[Name]> = []
        for part in settings.parts where !part.isSplit && part.mismatch(in: catalog) == nil {
            if known.insert([part.type, part.field]).inserted {
                lists.append(try question([part.type], .list(part.field)))
            }
        }
        self.lists = lists
    }

    func reading(_ catalog: Catalog) -> ReadSet {
        var set = ReadSet()
        for question in records + lists { set.append(question.reading(catalog)) }
        return set
    }

    /// What is known at a given moment.
    struct Figures: Sendable {
        let asOf: Milliseconds
        /// Each with the periods of its type.
        let records: [(answer: TrendAnswer, series: TrendAnswer.Series)]
        /// With their names, such as `Novenas.names`.
        let lists: [(name: String, series: TrendAnswer.Series)]
        /// The counts that were examined because they are not in the sums yet, each as often as it was.
        let examined: Int

        /// What a mark stores, under unique keys: how many records of a type were ever created, and the lengths of lists. Series
        /// that are still being counted back are left out: their old records would later look new.
        var figures: [String: Int64] {
            var figures: [String: Int64] = [:]
            for series in records.map(\.series) + lists.map(\.series) where series.progress?.percent ?? 100 == 100 {
                figures[series.mark] = series.list == nil ? series.total.created : series.total.net
            }
            return figures
        }
    }

    /// - Throws: ``TrendFailure`` if there are too many periods, or too much is not summed up yet.
    func figures(_ reading: Reading, now: Milliseconds, rowsMax: Int = rowsMax) throws -> Figures {
        let latest = try (records.first ?? lists.first)?.latest(reading)
        var rows = 0
        func answer(_ question: TrendQuestion) throws -> TrendAnswer {
            let answer = try question.answer(reading, now: now, latest)
            // Each question has its own limit, and there is one for each type.
            rows += answer.starts.count * answer.series.count
            guard rows <= rowsMax else {
                throw TrendFailure("these are more than \(rowsMax) days of all types together: show fewer types")
            }
            return answer
        }
        let answers = try (records: records.map { try answer($0) }, lists: lists.map { try answer($0) })
        let series = answers.lists.flatMap(\.series)
        let plain = series.map { "\($0.type).\($0.list?.field.text ?? "")" }
        return Figures(
            asOf: now,
            records: answers.records.flatMap { answer in answer.series.map { (answer, $0) } },
            lists: zip(plain, series).map { name, series in
                // If a list is counted in several ways, each name includes which.
                (plain.count { $0 == name } == 1 ? name : series.title, series)
            },
            examined: (answers.records + answers.lists).reduce(latest?.examined ?? 0) { $0 + $1.examined })
    }
}

extension TrendAnswer.Series {
    /// The key of the series in a mark.
    fileprivate var mark: String { list.map { "\(type) \($0.id)" } ?? "\(type)" }

    /// What is new since a mark: everything if there is no mark, and nothing for series that the mark does not have.
    fileprivate func news(_ number: Int64, since mark: TrendMarkRow?) -> Int64 {
        guard let mark else { return number }
        return mark.figures[self.mark].map { number - $0 } ?? 0
    }
}

extension DerivedTrends.Figures {
    /// `TRACKING`, `LAST_CHECK`, `MAX_COUNT`, `EARLIEST_DATE` and `TOTALS`, in the article's words.
    var totals: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.object("TRACKING") { json in
            json.array("types", records.map(\.series.type.text))
            json.array("lists", lists.map(\.name))
        }
        json.numbers("LAST_CHECK", records.map { ($0.series.type.text, asOf) })
        json.numbers("MAX_COUNT", records.map { ($0.series.type.text, $0.series.counts.map(\.created).max() ?? 0) })
        json.object("EARLIEST_DATE") { json in
            for (answer, series) in records {
                guard let first = series.counts.firstIndex(where: { $0.created > 0 }) else { continue }
                json.memberOfText(series.type.text, "\(CivilDate(answer.starts[first]))")
            }
        }
        json.numbers("TOTALS", lists.map { ($0.name, $0.series.total.net) })
        json.endObject()
        return json.bytes
    }

    /// By how many elements lists grew since a mark; of all time if there is none.
    func deltas(since mark: TrendMarkRow?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.numbers("DELTAS", changes(since: mark))
        json.since(mark)
        json.endObject()
        return json.bytes
    }

    func changes(since mark: TrendMarkRow?) -> [(name: String, number: Int64)] {
        lists.map { ($0.name, $0.series.news($0.series.total.net, since: mark)) }
    }

    /// Records created today and yesterday, and since the mark if the viewer has a name.
    func feed(since mark: TrendMarkRow?, hasViewer: Bool) -> [UInt8] {
        func created(_ back: Int) -> [(String, Int64)] {
            records.map { ($0.series.type.text, $0.series.counts.dropLast(back).last?.created ?? 0) }
        }
        var json = JSONWriter()
        json.beginObject()
        json.numbers("today", created(0))
        json.numbers("yesterday", created(1))
        if hasViewer {
            json.numbers(
                "sinceLastLook",
                records.map { ($0.series.type.text, $0.series.news($0.series.total.created, since: mark)) })
            json.since(mark)
        }
        json.member("asOf", asOf)
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
