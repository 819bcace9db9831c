import CloudKitWire
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, "Picking": what the endpoint returns, by Pearson's chi-square test at p = 0.001.
@Suite("Fairness of the endpoint that picks") struct PickFairnessTests {
    private static let picks = 2_000
    /// For 9 degrees of freedom.
    private static let critical = 27.88

    /// How records are picked.
    enum Way: String, CaseIterable {
        case unseeded, seeded
    }

    private func chiSquare(_ picks: PickCloud, _ weights: [String: Int], _ way: Way) throws -> Double {
        var counts: [String: Int] = [:]
        for number in 0..<Self.picks {
            // A person and a day.
            let seed = way == .seeded ? "&seed=person\(number % 40)%20day\(number / 40)" : ""
            let answer = try picks.answer("pick", "locale=es&count=1\(seed)")
            #expect(answer["eligible"].int64 == Int64(weights.count))
            let name = try #require(answer["records"][0]["recordName"].string)
            counts[name, default: 0] += 1
        }
        #expect(Set(counts.keys).isSubset(of: weights.keys))
        let all = Double(weights.values.reduce(0, +))
        return weights.reduce(0) { sum, weight in
            let expected = Double(Self.picks * weight.value) / all
            let difference = Double(counts[weight.key] ?? 0) - expected
            return sum + difference * difference / expected
        }
    }

    /// Ten records that differ in whatever the server groups them by, and some that are not for the caller.
    private func picks(weights: [Int]) async throws -> (picks: PickCloud, weights: [String: Int]) {
        let (picks, now) = (try await PickCloud(), SmallCloud.now)
        let later = now + 172_800_000
        let items = weights.enumerated().map { number, weight in
            PickCloud.Item(
                name: "r\(number)", start: now - Int64(number + 1) * 1_000, until: number == 3 ? later : nil,
                audience: number % 4 == 1 ? "spanish" : nil, collection: ["cats", "dogs", nil][number % 3],
                weight: weight)
        }
        try picks.save(
            items + [
                .init(name: "draft", start: nil, weight: 900), .init(name: "new", audience: "new", weight: 900),
                .init(name: "early", start: later, weight: 900),
            ])
        try await picks.sort()
        return (picks, Dictionary(uniqueKeysWithValues: zip(items.map(\.name), weights)))
    }

    @Test(
        "It returns records with equal weights equally often, at random and for the seeds of persons and days (S0-55)",
        arguments: [Way.unseeded, .seeded])
    func uniform(way: Way) async throws {
        let (picks, weights) = try await picks(weights: Array(repeating: 1, count: 10))
        #expect(try chiSquare(picks, weights, way) < Self.critical)
    }

    @Test(
        "It returns records in proportion to their weights, at random and for the seeds of persons and days (S0-55)",
        arguments: [Way.unseeded, .seeded])
    func weighted(way: Way) async throws {
        let (picks, weights) = try await picks(weights: [1, 2, 3, 4, 5, 10, 15, 20, 30, 40])
        #expect(try chiSquare(picks, weights, way) < Self.critical)
    }

    @Test("The same seed of a person and a day gives the same item all day, and persons and days differ (S0-55)")
    func itemOfTheDay() async throws {
        let (picks, _) = try await picks(weights: Array(repeating: 1, count: 10))
        func item(_ person: Int, _ day: Int) throws -> String {
            try #require(try picks.names("pick", "locale=es&seed=person\(person)%20day\(day)").first)
        }
        let first = try (0..<20).map { try item($0, 1) }
        picks.own.now += 3_600_000
        #expect(try (0..<20).map { try item($0, 1) } == first)
        #expect(Set(first).count > 5)
        #expect(try Set((0..<20).map { try item(1, $0) }).count > 5)
    }

    // docs/content.md, "Chance without the endpoint"
    @Test("Chance by sorting and shuffling, as without the endpoint, never shows most records; picks show all (S0-68)")
    func sorted() async throws {
        let picks = try await PickCloud()
        let (count, limit) = (300, 30)
        // Titles are in another order than times.
        for start in stride(from: 0, to: count, by: 100) {
            let operations = (start..<start + 100).map { number in
                let fields =
                    #""title":{"value":"\#(number * 7_919 % 1_000)"},"publishedAt":{"value":\#(SmallCloud.now - Int64(number + 1) * 1_000),"type":"TIMESTAMP"}"#
                return
                    #"{"operationType":"create","record":{"recordType":"Chibi","recordName":"r\#(number)","fields":{\#(fields)}}}"#
            }
            let answer = try picks.own.database(
                "records/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#, as: .friend)
            #expect(!answer.text.contains("serverErrorCode"), "\(answer.text.prefix(400))")
        }
        try await picks.sort()
        // All pseudo-random sort descriptors that there are: a sortable field and a direction.
        var found: Set<String> = []
        for field in ["publishedAt", "title"] {
            for isAscending in [true, false] {
                let query =
                    #"{"resultsLimit":\#(limit),"query":{"recordType":"Chibi","filterBy":[{"fieldName":"publishedAt","comparator":"LESS_THAN_OR_EQUALS","fieldValue":{"value":\#(SmallCloud.now),"type":"TIMESTAMP"}}],"sortBy":[{"fieldName":"\#(field)","ascending":\#(isAscending)}]}}"#
                let answer = try JSON(reading: picks.own.database("records/query", query, as: .app).body)
                let names = answer["records"].elements.compactMap { $0["recordName"].string }
                #expect(names.count == limit)
                found.formUnion(names)
            }
        }
        // The first and last thirty by each field, and nothing else, however often an app asks.
        #expect(found.count <= 4 * limit && found.count > 3 * limit)
        var picked: Set<String> = []
        for seed in 0..<100 where picked.count < count {
            picked.formUnion(try picks.names("pick", "count=50&seed=\(seed)"))
        }
        #expect(picked.count == count)
    }
}
