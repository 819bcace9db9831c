import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import Testing

@Suite struct PlaceTests {
    @Test("Distances are meters on a sphere of the earth's mean radius")
    func distances() {
        let degree = Place.earthRadius * Double.pi / 180
        let zero = Place(latitude: 0, longitude: 0)
        for (place, degrees) in [
            (Place(latitude: 0, longitude: 1), 1.0), (Place(latitude: 90, longitude: 77), 90),
            (Place(latitude: 0, longitude: 180), 180),
            (Place(latitude: 0, longitude: -180), 180), (Place(latitude: -45, longitude: 0), 45),
        ] { #expect(abs(zero.distance(to: place) - degrees * degree) < 0.001) }
        let dateLine = Place(latitude: 0, longitude: 179.5).distance(to: Place(latitude: 0, longitude: -179.5))
        #expect(abs(dateLine - degree) < 0.001)
        #expect(Place(latitude: 10, longitude: 20).distance(to: Place(latitude: 10, longitude: 20)) == 0)
    }

    /// 3,000 places: everywhere, at the poles, at the date line, in one town.
    private static func world(_ random: inout RandomQueries) throws -> (records: [PlainRecord], source: MemorySource) {
        var source = MemorySource()
        source.zoneNumbers = [1]
        let records = (0..<3_000).map { random.record($0, zones: [1]) }
        for record in records { source.records[record.number] = try record.row() }
        source.open([IndexShape(type: 1, parts: [.cell(Fields.place)])])
        return (records, source)
    }

    // docs/decisions/0004: cells
    @Test(
        "A circle finds everything in it with few ranges, at the poles and across the date line too",
        arguments: Seeds.all(1))
    func circles(seed: UInt64) throws {
        var random = RandomQueries(seed: seed)
        var (records, source) = try Self.world(&random)
        for _ in 0..<60 {
            let latitude = random.pick([
                -90, 90, 89.999, 52.5, 0, Double.random(in: -90...90, using: &random.generator),
            ])
            let longitude = random.pick([
                -180, 180, 179.999, 13.4, Double.random(in: -180...180, using: &random.generator),
            ])
            let metres = pow10(Double.random(in: 0...7.4, using: &random.generator))
            let near = QueryCondition(
                Fields.place, .isNear(Place(latitude: latitude, longitude: longitude), metres: metres))
            let scan = QueryScan(extent: .database(1), type: 1, conditions: [near], limit: 10_000)
            let expected = PlainQuery(scan: scan).answer(records, zones: [1])
            source.calls = 0
            let page = try QueryWalk.page(scan, source: &source)
            #expect(source.calls <= 32)
            if page.isAnswered {
                #expect(page.records.map(\.number) == expected, "seed \(seed): \(near)")
            } else {
                #expect(expected.count > 300, "Only circles with many records are left alone")
            }
        }
    }

    @Test("A location is within 0 meters of itself, and indexes with parts before the cell find the same in circles")
    func parts() throws {
        var random = RandomQueries(seed: 11)
        let (records, source) = try Self.world(&random)
        let texts = ["common", "a", "ab", "alpha", "é"].map { QueryValue.bytes(Bytes($0)) }
        let ways: [(metres: Double, parts: [IndexShape.Part], other: [QueryCondition])] = [
            (0, [.cell(Fields.place)], []),
            (50_000, [.value(Fields.text), .cell(Fields.place)], [QueryCondition(Fields.text, .isAny(texts))]),
            (50_000, [.member(Fields.tags), .cell(Fields.place)], [QueryCondition(Fields.tags, .holdsAny(texts))]),
        ]
        var found = 0
        for (metres, parts, other) in ways {
            var source = source
            source.open([IndexShape(type: 1, parts: parts)])
            for record in records where random.generator.once(in: 40) {
                guard case .place(let latitude, let longitude) = record.fields["place"] else { continue }
                let near = Place(latitude: latitude, longitude: longitude)
                let scan = QueryScan(
                    extent: .database(1), type: 1,
                    conditions: [QueryCondition(Fields.place, .isNear(near, metres: metres))] + other, limit: 5_000)
                let page = try QueryWalk.page(scan, source: &source)
                #expect(page.isAnswered && page.used == [1])
                #expect(page.records.map(\.number) == PlainQuery(scan: scan).answer(records, zones: [1]))
                found += page.records.count
            }
        }
        #expect(found > 50)
    }

    @Test("A small circle reads little more than what is in it")
    func smallCircle() throws {
        var random = RandomQueries(seed: 5)
        var (records, source) = try Self.world(&random)
        let near = QueryCondition(Fields.place, .isNear(Place(latitude: 52.5, longitude: 13.4), metres: 100))
        let scan = QueryScan(extent: .database(1), type: 1, conditions: [near], limit: 1_000)
        let page = try QueryWalk.page(scan, source: &source)
        let expected = PlainQuery(scan: scan).answer(records, zones: [1])
        #expect(page.records.map(\.number) == expected && !expected.isEmpty)
        #expect(page.examined < 3 * expected.count + 50)
    }

    private func pow10(_ exponent: Double) -> Double {
        var (value, rest) = (1.0, exponent)
        while rest >= 1 { (value, rest) = (value * 10, rest - 1) }
        return value * (1 + 9 * rest)
    }
}
