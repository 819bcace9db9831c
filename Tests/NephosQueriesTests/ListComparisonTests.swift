import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import Testing

/// Lists and words, compared with many values (docs/decisions/0014): the result is the same as when every member is compared with
/// every value (``PlainQuery``).
@Suite struct ListComparisonTests {
    private static let fields = [Fields.tags, Fields.wholes, Fields.numbers, Fields.targets]
    private static let counts = [0, 1, 2, 8, 9, 40, 250]

    /// Values from a small set, so that many are equal, and some that resemble an equal one but are not.
    private static func text(_ random: inout RandomQueries) -> String {
        random.pick(["", "é", "e\u{301}", "a", "A", "a\u{0}", "\u{0}", "x\(random.number(0...300))"])
    }

    private static func whole(_ random: inout RandomQueries) -> Int64 {
        random.pick([0, -1, .max, .min, 9_007_199_254_740_993, Int64(random.number(0...300))])
    }

    private static func number(_ random: inout RandomQueries) -> Double {
        random.pick([0, -0.0, 0.5, 9_007_199_254_740_992, 1e300, 0x1p63, -0x1p63, Double(random.number(0...300))])
    }

    private static func list(_ field: RecordField, _ random: inout RandomQueries) -> PlainValue {
        let count = random.number(0...random.pick([3, 60]))
        switch field {
        case Fields.tags: return .texts((0..<count).map { _ in text(&random) })
        case Fields.wholes: return .wholes((0..<count).map { _ in whole(&random) })
        case Fields.numbers: return .numbers((0..<count).map { _ in number(&random) })
        default: return .references((0..<count).map { _ in "r" + text(&random).filter { $0.isASCII && $0 != "\0" } })
        }
    }

    private static func value(_ field: RecordField, _ random: inout RandomQueries) -> QueryValue {
        switch field {
        case Fields.tags, Fields.text: .bytes(Bytes(text(&random)))
        case Fields.wholes, Fields.whole, Fields.numbers, Fields.number:
            random.generator.once(in: 2) ? .integer(whole(&random)) : .double(number(&random))
        default: .bytes(Bytes("r" + text(&random)))
        }
    }

    private static func record(_ number: Int, _ random: inout RandomQueries) -> PlainRecord {
        var record = PlainRecord(number: RecordNumber(number), zone: 1, name: "n\(number)")
        let names = ["tags", "wholes", "numbers", "targets"]
        for (name, field) in zip(names, fields) where !random.generator.once(in: 6) {
            record.fields[name] = list(field, &random)
        }
        if !random.generator.once(in: 6) { record.fields["text"] = .text(text(&random)) }
        if !random.generator.once(in: 6) { record.fields["whole"] = .whole(whole(&random)) }
        if !random.generator.once(in: 6) { record.fields["number"] = .number(Self.number(&random)) }
        return record
    }

    private static func condition(_ random: inout RandomQueries) -> QueryCondition {
        if random.generator.once(in: 5) {
            let words = (0..<random.pick([1, 2, 30])).map { _ in Bytes("x\(random.number(0...40))") }
            return QueryCondition([Fields.text, Fields.tags], .hasTokens(words, all: random.generator.once(in: 2)))
        }
        if random.generator.once(in: 6) {
            let beginning = Bytes(String(text(&random).prefix(2)))
            return QueryCondition(
                Fields.tags, random.pick([.memberBeginsWith(beginning), .noMemberBeginsWith(beginning)]))
        }
        let isList = !random.generator.once(in: 4)
        let field = random.pick(isList ? fields : [Fields.text, Fields.whole, Fields.number])
        let values = (0..<random.pick(counts)).map { _ in value(field, &random) }
        guard isList else { return QueryCondition(field, random.pick([.isAny(values), .isNone(values)])) }
        return QueryCondition(
            field, random.pick([.holdsAny(values), .holdsAll(values), .holdsNone(values), .holdsNotAll(values)]))
    }

    @Test("Sets find the same as comparing every member with every value", arguments: Seeds.all(40))
    func agrees(seed: UInt64) throws {
        var random = RandomQueries(seed: seed)
        let records = (1...12).map { Self.record($0, &random) }
        let rows = try records.map { try $0.row() }
        var standing = StandingQueries()
        var expected = Array(repeating: [Int](), count: records.count)
        for number in 0..<24 {
            let conditions = (0..<random.pick([1, 1, 2])).map { _ in Self.condition(&random) }
            let prepared = PreparedConditions(conditions)
            standing.insert(number, type: 1, conditions: conditions)
            let scan = QueryScan(extent: .database(1), type: 1, conditions: conditions, limit: 1)
            for (index, record) in records.enumerated() {
                let isMatch = PlainQuery(scan: scan).matches(record)
                #expect(prepared.matches(rows[index]) == isMatch, "SEED=\(seed), \(conditions), \(record)")
                if isMatch { expected[index].append(number) }
            }
        }
        for (row, numbers) in zip(rows, expected) {
            #expect(standing.matches(row).numbers == numbers, "SEED=\(seed)")
            // The same in batches, each of which examines at least one query.
            var (found, after) = ([Int](), Int.min as Int?)
            while let last = after {
                let turn = standing.matches(row, after: last, comparisonsMax: random.pick([0, 100]))
                found += turn.numbers
                after = turn.lookedTo
            }
            #expect(found == numbers, "SEED=\(seed)")
        }
    }
}
