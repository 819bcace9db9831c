import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import Testing

/// Queries that wait for records, docs/decisions/0006.
@Suite("Standing queries") struct StandingQueriesTests {
    @Test(
        "A record finds exactly the queries that it matches, while queries are added and removed",
        arguments: Seeds.all(16))
    func findsAll(seed: UInt64) throws {
        var random = RandomQueries(seed: seed)
        var standing = StandingQueries()
        var plain: [Int: (type: TypeNumber, conditions: [QueryCondition])] = [:]
        for step in 0..<300 {
            let number = random.number(0...80)
            if random.generator.once(in: 4) {
                standing.remove(number)
                plain[number] = nil
            } else {
                let conditions = (0..<random.pick([0, 1, 1, 1, 2, 2, 3])).map { _ in random.condition() }
                let type = TypeNumber(random.pick([1, 1, 1, 2]))
                standing.insert(number, type: type, conditions: conditions)
                plain[number] = (type, conditions)
            }
            #expect(standing.count == plain.count)
            guard step % 3 == 0 else { continue }
            let record = try random.record(step, zones: [1]).row()
            let expected = plain.filter { _, query in
                query.type == record.type && PreparedConditions(query.conditions).matches(record)
            }.keys.sorted()
            #expect(standing.matches(record).numbers == expected, "SEED=\(seed), step \(step)")
        }
    }

    @Test("Queries of other types are not compared")
    func types() throws {
        var standing = StandingQueries()
        let record = try PlainRecord(number: 1, zone: 1, name: "r").row()
        for type in [record.type, record.type + 1] { standing.insert(Int(type), type: type, conditions: []) }
        #expect(standing.matches(record) == .init(numbers: [Int(record.type)], examined: 1))
        standing.insert(Int(record.type), type: record.type + 1, conditions: [])
        #expect(standing.matches(record) == .init())
    }

    /// One record, and 20,000 queries of one kind, few of which are relevant to it.
    private func examined(_ condition: (Int64) -> QueryCondition) throws -> StandingQueries.Matches {
        var standing = StandingQueries()
        for number in 0..<20_000 { standing.insert(number, type: 1, conditions: [condition(Int64(number))]) }
        var record = PlainRecord(number: 1, zone: 1, name: "r")
        record.fields["whole"] = .whole(12_345)
        record.fields["wholes"] = .wholes([5, 12_345])
        return standing.matches(try record.row())
    }

    @Test("Queries for other values add no cost to a record")
    func examines() throws {
        let equal = try examined { QueryCondition(Fields.whole, .isAny([.integer($0)])) }
        #expect(equal.numbers == [12_345] && equal.examined == 1 && equal.comparisons <= 4)
        let member = try examined { QueryCondition(Fields.wholes, .holdsAny([.integer($0)])) }
        #expect(member.numbers == [5, 12_345] && member.examined == 2 && member.comparisons <= 4)
        let range = try examined {
            QueryCondition(
                Fields.whole,
                .isBetween(.init(.integer($0), isIncluded: true), .init(.integer($0 + 3), isIncluded: false)))
        }
        #expect(range.numbers == [12_343, 12_344, 12_345] && range.examined == 4 && range.comparisons <= 4)
    }
}
