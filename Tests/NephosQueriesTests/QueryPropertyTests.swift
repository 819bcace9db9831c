import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import Testing

@Suite struct QueryPropertyTests {
    /// Data derived from a seed.
    struct World {
        var random: RandomQueries
        var records: [PlainRecord]
        var source = MemorySource()

        init(seed: UInt64, sizes: [Int] = [0, 3, 40, 150, 400]) throws {
            random = RandomQueries(seed: seed)
            let zones = (0..<random.pick([1, 1, 2, 4])).map { ZoneNumber($0 * 3 + 1) }
            source.zoneNumbers = zones
            records = (0..<random.pick(sizes)).map { _ in PlainRecord(number: 0, zone: 0, name: "") }
            for index in records.indices { records[index] = random.record(index, zones: zones) }
            for record in records { source.records[record.number] = try record.row() }
            source.otherRecords = random.pick([0, 1_000])
        }

        /// Builds some of the indexes that a query needs, and some that others needed.
        mutating func openSome(for scan: QueryScan) throws {
            var shapes: [IndexShape] = []
            for scan in [scan, random.scan(), random.scan(), random.scan()] {
                var empty = source
                empty.open([])
                empty.otherRecords = 1_000
                shapes += try QueryWalk.page(scan, source: &empty).wanted
            }
            var seen: Set<IndexShape> = []
            shapes.removeAll { !seen.insert($0).inserted || random.generator.once(in: 3) }
            shapes.shuffle(using: &random.generator)
            source.open(shapes)
        }

        /// Builds only an index in the order of a query, and one that finds records by a single condition.
        mutating func openWalk(for scan: QueryScan) throws {
            var shapes: Set<IndexShape> = []
            for count in 0...scan.conditions.count {
                var part = scan
                part.conditions = count == 0 ? [] : [scan.conditions[count - 1]]
                if count > 0 { part.orders = [] }
                var empty = source
                empty.open([])
                empty.otherRecords = 1_000
                shapes.formUnion(try QueryWalk.page(part, source: &empty).wanted)
            }
            source.open(shapes.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        }
    }

    /// Follows the pages to their end.
    static func pages(
        _ scan: QueryScan, _ source: inout MemorySource
    ) throws -> [RecordRow]? {
        var scan = scan
        var found: [RecordRow] = []
        for count in 0... {
            let page = try QueryWalk.page(scan, source: &source)
            guard page.isAnswered else { return nil }
            #expect(page.records.count <= scan.limit)
            // Rings need a minimum to make progress; the budgets of servers are far above it.
            let isByDistance = scan.orders.contains { $0.origin != nil }
            if !page.used.isEmpty { #expect(page.examined <= max(scan.examinedLimit, isByDistance ? 3_000 : 0)) }
            #expect(page.records.count < 2 || page.records.reduce(0) { $0 + $1.storedBytes } <= scan.byteLimit)
            try expectBrief(scan, like: page, source)
            found += page.records
            guard let next = page.next else { break }
            #expect(next != scan.after, "A page that goes on has gone on")
            try #require(count < 2_000, "The pages end")
            scan.after = next
        }
        return found
    }

    /// A brief scan is abandoned, or finds the same.
    private static func expectBrief(_ scan: QueryScan, like page: QueryPage, _ source: MemorySource) throws {
        var (scan, source) = (scan, source)
        scan.isBrief = true
        source.entriesRead = 0
        let brief = try QueryWalk.page(scan, source: &source)
        #expect(source.entriesRead <= QueryScan.briefRows)
        if brief.isGivenUp { return }
        #expect(brief.records == page.records && brief.isAnswered)
        #expect(brief.next != nil || page.next == nil, "Where more follows, a brief page goes on")
    }

    // docs/decisions/0004
    @Test("All pages together equal a comparison with every record, in its order", arguments: Seeds.all(30))
    func agrees(seed: UInt64) throws {
        var world = try World(seed: seed)
        for step in 0..<4 {
            var scan = world.random.scan()
            // docs/decisions/0014: whatever ends a page, the next one continues after it.
            scan.comparisonsLimit = world.random.pick([0, 3, 40, 10_000_000])
            scan.bytesExaminedLimit = world.random.pick([0, 1_000, 64 << 20])
            try world.openSome(for: scan)
            var zones = world.source.zoneNumbers
            if world.random.generator.once(in: 2) { zones = [world.random.pick(zones)] }
            var source = world.source
            source.zoneNumbers = zones
            let expected = PlainQuery(scan: scan).answer(world.records, zones: zones)
            var found = try Self.pages(scan, &source)
            if found == nil {
                let wanted = try QueryWalk.page(scan, source: &source).wanted
                source.open(wanted)
                found = try Self.pages(scan, &source)
            }
            #expect(found?.map(\.number) == expected, "seed \(seed), step \(step): \(scan)")
        }
    }

    // docs/decisions/0004, "The budget"
    @Test("All pages together equal it in large databases too, with small budgets", arguments: Seeds.all(2))
    func agreesInLarge(seed: UInt64) throws {
        var world = try World(seed: seed, sizes: [2_500])
        for step in 0..<4 {
            var scan = world.random.scan()
            scan.examinedLimit = world.random.pick([400, 1_000, 10_000])
            scan.limit = world.random.pick([20, 50, 200])
            scan.byteLimit = 8 << 20
            try world.openSome(for: scan)
            if world.random.generator.once(in: 2) { try world.openWalk(for: scan) }
            let expected = PlainQuery(scan: scan).answer(world.records, zones: world.source.zoneNumbers)
            guard let found = try Self.pages(scan, &world.source) else { continue }
            #expect(found.map(\.number) == expected, "seed \(seed), step \(step): \(scan)")
        }
    }

    @Test(
        "While records change, unchanged ones appear once, and nothing appears that does not match",
        arguments: Seeds.all(15))
    func changes(seed: UInt64) throws {
        var world = try World(seed: seed, sizes: [150, 400])
        var scan = world.random.scan()
        scan.limit = world.random.pick([5, 20])
        scan.byteLimit = 8 << 20
        try world.openSome(for: scan)
        let zones = world.source.zoneNumbers
        var plain = Dictionary(uniqueKeysWithValues: world.records.map { ($0.number, $0) })
        var changed: Set<RecordNumber> = []
        let before = PlainQuery(scan: scan).answer(world.records, zones: zones)
        var found: [RecordNumber] = []
        while true {
            let page = try QueryWalk.page(scan, source: &world.source)
            guard page.isAnswered else { return }
            for record in page.records {
                let isMatch = plain[record.number].map { PlainQuery(scan: scan).matches($0) }
                #expect(isMatch == true, "seed \(seed)")
            }
            found += page.records.map(\.number)
            guard let next = page.next else { break }
            scan.after = next
            for _ in 0..<world.random.number(0...5) {
                let index = world.random.number(0...(world.records.count + 5))
                let record = world.random.record(index, zones: zones)
                if world.random.generator.once(in: 4) {
                    plain[record.number] = nil
                    world.source.records[record.number] = nil
                } else if plain[record.number].map({ $0.zone == record.zone }) ?? true {
                    plain[record.number] = record
                    world.source.records[record.number] = try record.row()
                }
                changed.insert(record.number)
            }
            world.source.refresh()
        }
        let unchanged = { (numbers: [RecordNumber]) in numbers.filter { !changed.contains($0) } }
        #expect(unchanged(found) == unchanged(before), "seed \(seed): \(scan)")
    }
}
