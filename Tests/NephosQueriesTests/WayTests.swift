import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import Testing

/// How many rows queries examine (docs/decisions/0004, "Choice of the way", "The budget").
@Suite struct WayTests {
    private static let kind = RecordField.field("kind", .string, epoch: 0)
    private static let rank = RecordField.field("rank", .int64, epoch: 0)
    private static let rare = RecordField.field("rare", .int64, epoch: 0)
    private static let body = RecordField.field("body", .string, epoch: 0)
    private static let place = RecordField.field("place", .location, epoch: 0)

    /// 5,000 records in two zones: 99 % are of kind `common`; `rare` is 0 except in ten records.
    private static let world: MemorySource = {
        var source = MemorySource()
        source.zoneNumbers = [1, 2]
        var generator = SeededGenerator(seed: 1)
        for number in 1...5_000 {
            var record = PlainRecord(number: Int64(number), zone: number % 5 == 0 ? 2 : 1, name: "n\(number)")
            record.fields["kind"] = .text(number % 100 == 0 ? "other" : "common")
            record.fields["rank"] = .whole(Int64.random(in: 0..<1_000, using: &generator))
            record.fields["rare"] = .whole(number % 500 == 0 ? 1 : 0)
            record.fields["body"] = .text("word \(number % 7 == 0 ? "seven" : "plain") x\(number % 50) y\(number % 40)")
            record.fields["place"] = .place(
                latitude: Double.random(in: 52...53, using: &generator),
                longitude: Double.random(in: 13...14, using: &generator))
            if let row = try? record.row() { source.records[row.number] = row }
        }
        return source
    }()

    private static func scan(
        _ conditions: [QueryCondition] = [], _ orders: [QueryOrder] = [], limit: Int = 50, examinedLimit: Int = 10_000
    ) -> QueryScan {
        QueryScan(
            extent: .database(1), type: 1, conditions: conditions, orders: orders, limit: limit,
            examinedLimit: examinedLimit)
    }

    private static func shape(_ parts: IndexShape.Part...) -> IndexShape { IndexShape(type: 1, parts: parts) }

    private static func page(
        _ scan: QueryScan, _ shapes: [IndexShape], zones: [ZoneNumber] = [1]
    ) throws -> (page: QueryPage, source: MemorySource) {
        var source = world
        source.zoneNumbers = zones
        source.open(shapes)
        let page = try QueryWalk.page(scan, source: &source)
        #expect(page.examined == source.entriesRead)
        return (page, source)
    }

    private static let byRank = shape(.order(rank, isDescending: false))

    @Test("A sorted page of 50 reads 51 entries and 50 records")
    func sortedPage() throws {
        let (page, source) = try Self.page(Self.scan([], [QueryOrder(Self.rank)]), [Self.byRank])
        #expect(page.records.count == 50 && page.examined == 51 && source.recordsRead == 50)
        #expect(page.wanted.isEmpty && page.used == [1])
    }

    @Test("An equality with another sort reads as little, if an index has both")
    func equalityAndSort() throws {
        let scan = Self.scan([QueryCondition(Self.kind, .isAny([.bytes(Bytes("common"))]))], [QueryOrder(Self.rank)])
        let (page, source) = try Self.page(
            scan, [Self.byRank, Self.shape(.value(Self.kind), .order(Self.rank, isDescending: false))])
        #expect(page.records.count == 50 && page.examined == 51 && source.recordsRead == 50)
        #expect(page.used == [2] && page.wanted.isEmpty)
    }

    @Test("A word with a sort reads as little, if an index has both")
    func wordAndSort() throws {
        let scan = Self.scan(
            [QueryCondition(Self.body, .hasTokens([Bytes("seven")], all: true))], [QueryOrder(Self.rank)])
        let (page, source) = try Self.page(
            scan, [Self.shape(.token([Self.body]), .order(Self.rank, isDescending: false))])
        #expect(page.records.count == 50 && page.examined <= 60 && source.recordsRead == 50)
        #expect(page.wanted.isEmpty)
    }

    @Test("A range on the sort key reads only the range")
    func rangeOfOrder() throws {
        let bounds = QueryCondition.Test.isBetween(
            .init(.integer(500), isIncluded: true), .init(.integer(505), isIncluded: false))
        let (page, source) = try Self.page(
            Self.scan([QueryCondition(Self.rank, bounds)], [QueryOrder(Self.rank)], limit: 200), [Self.byRank])
        #expect(page.next == nil && page.examined == page.records.count && source.recordsRead == page.records.count)
    }

    @Test("Several zones and values are walked side by side")
    func merge() throws {
        let kinds = QueryCondition(Self.kind, .isAny([.bytes(Bytes("common")), .bytes(Bytes("other"))]))
        let (page, _) = try Self.page(
            Self.scan([kinds], [QueryOrder(Self.rank)]),
            [Self.shape(.value(Self.kind), .order(Self.rank, isDescending: false))], zones: [1, 2])
        #expect(page.records.count == 50 && page.examined < 160)
    }

    @Test("A condition with few entries is collected first, whatever the order")
    func gathered() throws {
        let rare = QueryCondition(Self.rare, .isAny([.integer(1)]))
        let (page, source) = try Self.page(
            Self.scan([rare], [QueryOrder(Self.rank)]), [Self.byRank, Self.shape(.value(Self.rare))], zones: [1, 2])
        #expect(page.records.count == 10 && page.next == nil && page.examined == 10 && source.recordsRead == 10)
        #expect(page.used == [2])
        #expect(page.wanted == [Self.shape(.value(Self.rare), .order(Self.rank, isDescending: false))])
    }

    @Test("A walk that finds little consults the other indexes, and reads no more records than they match")
    func stalled() throws {
        let words = QueryCondition(Self.body, .hasTokens([Bytes("x7"), Bytes("y7")], all: true))
        let scan = Self.scan([words], [QueryOrder(Self.rank)])
        let (page, source) = try Self.page(scan, [Self.byRank, Self.shape(.token([Self.body]))], zones: [1, 2])
        #expect(page.records.count == 25 && page.next == nil)
        #expect(source.recordsRead <= 300 && page.examined < 1_500)
        // 714 records match, one in seven: the scan continues, and skips the records that it already knows.
        let seven = QueryCondition(Self.body, .hasTokens([Bytes("seven")], all: true))
        let wide = Self.scan([seven], [QueryOrder(Self.rank)], limit: 100)
        let (second, reads) = try Self.page(wide, [Self.byRank, Self.shape(.token([Self.body]))], zones: [1, 2])
        #expect(second.records.count == 100 && second.used == [1, 2])
        #expect(reads.recordsRead < 500)
    }

    @Test("Of entries near a location, only the records within the circle are read")
    func circle() throws {
        let near = QueryCondition(Self.place, .isNear(Place(latitude: 52.5, longitude: 13.5), metres: 5_000))
        let byName = Self.shape(.order(.recordName, isDescending: false))
        let (page, source) = try Self.page(Self.scan([near], limit: 100), [byName, Self.shape(.cell(Self.place))])
        #expect((20...80).contains(page.records.count) && page.next == nil && page.used == [2])
        #expect(source.recordsRead == page.records.count && page.examined < 2 * page.records.count)
    }

    @Test("A walk switches to the other index after its first matches prove unrepresentative")
    func luck() throws {
        // The first twenty by rank match, and then none of thousands.
        var source = MemorySource()
        source.zoneNumbers = [1]
        for number in 1...9_000 {
            var record = PlainRecord(number: Int64(number), zone: 1, name: "n\(number)")
            record.fields = ["rank": .whole(Int64(number)), "rare": .whole(number <= 20 || number > 8_500 ? 1 : 0)]
            source.records[record.number] = try record.row()
        }
        source.open([Self.byRank, Self.shape(.value(Self.rare))])
        let scan = Self.scan([QueryCondition(Self.rare, .isAny([.integer(1)]))], [QueryOrder(Self.rank)])
        let page = try QueryWalk.page(scan, source: &source)
        #expect(page.records.map(\.number) == Array(1...20) + Array(8_501...8_530) && page.next != nil)
        #expect(page.examined < 2_500 && source.recordsRead < 1_000)
    }

    @Test("A brief scan returns quick results, and gives up if it takes long")
    func brief() throws {
        var short = Self.scan([], [QueryOrder(Self.rank)])
        short.isBrief = true
        #expect(try Self.page(short, [Self.byRank]).page.records.count == 50)
        let kind = QueryCondition(Self.kind, .isAny([.bytes(Bytes("other"))]))
        let common = QueryCondition(Self.kind, .isAny([.bytes(Bytes("common"))]))
        let scans: [(QueryScan, [IndexShape])] = [
            // Few records match; more records than a brief scan reads; no index at all.
            (Self.scan([kind], [QueryOrder(Self.rank)]), [Self.byRank]),
            (Self.scan([common]), [Self.shape(.value(Self.kind))]), (Self.scan([kind]), []),
            (Self.scan([], [QueryOrder(Self.rank)], limit: 1_000), [Self.byRank]),
        ]
        for (index, (scan, shapes)) in scans.enumerated() {
            var source = Self.world
            source.open(shapes)
            var scan = scan
            scan.isBrief = true
            #expect(try QueryWalk.page(scan, source: &source).isGivenUp, "\(index)")
            #expect(source.entriesRead <= QueryScan.briefRows && source.recordsRead <= QueryScan.briefRows)
        }
    }

    @Test("A brief scan gives up before it has read more than a megabyte", arguments: [20, 300])
    func briefBytes(others: Int64) throws {
        var source = MemorySource()
        source.zoneNumbers = [1]
        source.otherRecords = others
        for number in 1...40 {
            var record = PlainRecord(number: Int64(number), zone: 1, name: "n\(number)")
            record.fields = ["rank": .whole(1), "body": .text(String(repeating: "x", count: 100_000))]
            source.records[record.number] = try record.row()
        }
        source.open([Self.byRank, Self.shape(.value(Self.rank))])
        let ranked = QueryCondition(Self.rank, .isAny([.integer(1)]))
        let names = QueryCondition(.recordName, .isAny((1...40).map { .bytes(Bytes("n\($0)")) }))
        for var scan in [Self.scan([], [QueryOrder(Self.rank)]), Self.scan([ranked]), Self.scan([names])] {
            #expect(try QueryWalk.page(scan, source: &source).records.count == 40)
            source.bytesRead = 0
            scan.isBrief = true
            #expect(try QueryWalk.page(scan, source: &source).isGivenUp)
            #expect(source.bytesRead <= QueryScan.briefBytes)
            scan.limit = 5
            let isWhole = others == 20 && scan.conditions.first?.fields != [.recordName]
            let isFew = scan.conditions.isEmpty && !isWhole
            #expect(try QueryWalk.page(scan, source: &source).isGivenUp == !isFew)
        }
    }

    @Test("A brief scan gives up after many reads without a match")
    func briefSeeks() throws {
        let kinds = (0..<250).map { QueryValue.bytes(Bytes("nobody \($0)")) } + [.bytes(Bytes("other"))]
        let orders = [QueryOrder(Self.rank), QueryOrder(Self.place, origin: Place(latitude: 52, longitude: 13))]
        let byDistance = Self.shape(
            .value(Self.kind), .order(Self.rank, isDescending: false), .order(Self.place, isDescending: false))
        for (orders, shape, isLong) in [
            (orders, byDistance, true), ([QueryOrder(.recordName)], Self.shape(.value(Self.kind)), false),
        ] {
            var source = Self.world
            source.zoneNumbers = [2]
            source.open([shape])
            var scan = Self.scan([QueryCondition(Self.kind, .isAny(kinds))], orders, limit: 40)
            #expect(try QueryWalk.page(scan, source: &source).records.count == 40)
            source.calls = 0
            scan.isBrief = true
            #expect(try QueryWalk.page(scan, source: &source).isGivenUp == isLong)
            #expect(source.calls <= QueryScan.briefRows + 10)
        }
    }

    @Test("A query that matches nothing ends within the budget, page by page", arguments: [100, 700, 10_000])
    func nothing(examinedLimit: Int) throws {
        let conditions = [
            QueryCondition(Self.kind, .isAny([.bytes(Bytes("common"))])),
            QueryCondition(Self.rare, .isNone([.integer(0), .integer(1)])),
        ]
        var source = Self.world
        source.open([Self.shape(.value(Self.kind), .order(Self.rank, isDescending: false))])
        var scan = Self.scan(conditions, [QueryOrder(Self.rank)], examinedLimit: examinedLimit)
        var examined = 0
        repeat {
            let page = try QueryWalk.page(scan, source: &source)
            #expect(page.records.isEmpty && page.isAnswered)
            #expect(page.examined <= examinedLimit)
            examined += page.examined
            if page.next != nil { #expect(page.next != scan.after) }
            scan.after = page.next
        } while scan.after != nil
        #expect(examined < 4_950 + 4_950 / examinedLimit * 64 + 64)
    }

    @Test("Contradictory conditions return an empty page without reading")
    func contradictions() throws {
        let bound = { QueryCondition.Bound(.integer($0), isIncluded: false) }
        for conditions in [
            [QueryCondition(Self.rank, .isAny([]))],
            [QueryCondition(Self.rank, .isBetween(bound(5), bound(4)))],
            [QueryCondition(Self.rank, .isBetween(bound(5), bound(5)))],
            [
                QueryCondition(Self.rank, .isBetween(bound(5), nil)),
                QueryCondition(Self.rank, .isBetween(nil, bound(4))),
            ],
            [QueryCondition(Self.rank, .isAny([.integer(3)])), QueryCondition(Self.rank, .isBetween(bound(5), nil))],
            [QueryCondition(Self.rank, .isAny([.double(1.5)]))],
            [QueryCondition(Self.body, .hasTokens([], all: false))],
        ] {
            let (page, source) = try Self.page(Self.scan(conditions), [])
            #expect(page == QueryPage() && source.calls == 0)
        }
    }

    @Test("By distance, a page of 50 reads a few hundred entries, wherever it starts")
    func distance() throws {
        let origin = Place(latitude: 52.5, longitude: 13.5)
        var source = Self.world
        source.open([Self.shape(.order(Self.place, isDescending: false))])
        var scan = Self.scan([], [QueryOrder(Self.place, origin: origin)])
        for _ in 0..<20 {
            source.entriesRead = 0
            source.recordsRead = 0
            let page = try QueryWalk.page(scan, source: &source)
            #expect(page.records.count == 50 && page.wanted.isEmpty && source.recordsRead == 50)
            #expect(page.examined == source.entriesRead && page.examined < 2_500)
            scan.after = page.next
        }
    }

    @Test("Thousands of records at one location are walked in order, page by page")
    func onePlace() throws {
        var source = MemorySource()
        source.zoneNumbers = [1, 2]
        for number in 1...3_000 {
            var record = PlainRecord(number: Int64(number), zone: Int64(number % 2 + 1), name: "n")
            if number % 50 != 0 { record.fields["place"] = .place(latitude: 1, longitude: number % 10 == 0 ? 2 : 1) }
            record.fields["rank"] = .whole(Int64(number % 3))
            source.records[record.number] = try record.row()
        }
        let orders = [QueryOrder(Self.place, origin: Place(latitude: 1, longitude: 1.1)), QueryOrder(Self.rank)]
        source.open([Self.shape(.order(Self.place, isDescending: false), .order(Self.rank, isDescending: false))])
        for examinedLimit in [10_000, 300] {
            var scan = Self.scan([], orders, limit: 200, examinedLimit: examinedLimit)
            var found: [RecordRow] = []
            repeat {
                let page = try QueryWalk.page(scan, source: &source)
                #expect(page.examined <= 900)
                found += page.records
                scan.after = page.next
            } while scan.after != nil
            #expect(found.count == 3_000)
            #expect(Set(found.map(\.number)).count == 3_000)
            #expect(found.prefix(2_700).allSatisfy { $0.number % 10 != 0 })
            #expect(found.suffix(60).allSatisfy { $0.number % 50 == 0 })
        }
    }

    @Test("An index over more texts than are searched is used, and its records are compared")
    func widerIndex() throws {
        let kinds = Self.shape(.token([Self.body, Self.kind]), .order(Self.rank, isDescending: false))
        let scan = Self.scan(
            [QueryCondition(Self.body, .hasTokens([Bytes("common")], all: true))], [QueryOrder(Self.rank)])
        let (page, _) = try Self.page(scan, [kinds])
        #expect(page.isAnswered && page.records.isEmpty)
    }

    @Test("Without a usable index a large database gives no result, but names the indexes to build, which suffice")
    func unanswered() throws {
        let scan = Self.scan([QueryCondition(Self.kind, .isNone([]))], [QueryOrder(Self.rank, isDescending: true)])
        let (page, _) = try Self.page(scan, [Self.byRank])
        #expect(!page.isAnswered && page.records.isEmpty && page.next == nil)
        #expect(page.wanted == [Self.shape(.order(Self.rank, isDescending: true))])
        #expect(try Self.page(scan, page.wanted).page.records.count == 50)
    }

    @Test("The requested indexes are the same for the same query in another order")
    func wanted() throws {
        let near = QueryCondition(Self.place, .isNear(Place(latitude: 52, longitude: 13), metres: 10))
        let conditions = [
            QueryCondition(Self.kind, .isAny([.bytes(Bytes("x"))])), QueryCondition(Self.rare, .isAny([.integer(1)])),
            near,
            QueryCondition(Self.body, .beginsWith(Bytes("x"))),
        ]
        let one = try Self.page(Self.scan(conditions, [QueryOrder(Self.rank)]), []).page.wanted
        let other = try Self.page(Self.scan(conditions.reversed(), [QueryOrder(Self.rank)]), []).page.wanted
        #expect(one == other && one.count == 2)
        #expect(one.first?.parts.count == 3)
        #expect(one.last?.parts.last == .cell(Self.place))
    }

    @Test("Names are looked up without an index, in any order")
    func names() throws {
        let names = ["n5", "n77", "nobody", "n6"].map { QueryValue.bytes(Bytes($0)) }
        let (page, _) = try {
            var source = Self.world
            source.open([])
            return (
                try QueryWalk.page(Self.scan([QueryCondition(.recordName, .isAny(names))]), source: &source), source
            )
        }()
        #expect(page.records.map(\.name) == ["n5", "n6", "n77"] && page.wanted.isEmpty && page.examined == 8)
    }

    @Test("Results before and after a long walk is abandoned form one page")
    func gathersRest() throws {
        // Ten of the first 130 ranks match, then hardly any.
        var source = MemorySource()
        source.zoneNumbers = [1]
        for number in 1...2_000 {
            var record = PlainRecord(number: Int64(number), zone: 1, name: "n\(number)")
            let isLow = number <= 130 && number % 13 == 0
            record.fields = ["rank": .whole(Int64(number)), "rare": .whole(isLow || number > 1_850 ? 1 : 0)]
            source.records[record.number] = try record.row()
        }
        source.open([Self.byRank, Self.shape(.value(Self.rare))])
        var scan = Self.scan([QueryCondition(Self.rare, .isAny([.integer(1)]))], [QueryOrder(Self.rank)], limit: 40)
        var found: [RecordNumber] = []
        repeat {
            let page = try QueryWalk.page(scan, source: &source)
            found += page.records.map(\.number)
            #expect(page.examined < 1_000)
            scan.after = page.next
        } while scan.after != nil
        #expect(found == (1...10).map { $0 * 13 } + Array(1_851...2_000))
    }

    @Test("If the ends of a range were truncated, records are compared", arguments: [false, true])
    func cutRange(isDescending: Bool) throws {
        let long = String(repeating: "x", count: 600)
        var source = MemorySource()
        source.zoneNumbers = [1]
        source.otherRecords = 1_000
        for (index, text) in ["w", long + "a", long + "b", long + "c", "y"].enumerated() {
            var record = PlainRecord(number: Int64(index + 1), zone: 1, name: "n\(index)")
            record.fields["kind"] = .text(text)
            source.records[record.number] = try record.row()
        }
        source.open([Self.shape(.order(Self.kind, isDescending: isDescending))])
        func found(_ lower: String?, _ upper: String?, isIncluded: Bool) throws -> Set<RecordNumber> {
            let bound = { (text: String) in QueryCondition.Bound(.bytes(Bytes(text)), isIncluded: isIncluded) }
            let range = QueryCondition(Self.kind, .isBetween(lower.map(bound), upper.map(bound)))
            let scan = Self.scan([range], [QueryOrder(Self.kind, isDescending: isDescending)])
            return Set(try QueryWalk.page(scan, source: &source).records.map(\.number))
        }
        #expect(try found(nil, long + "b", isIncluded: true) == [1, 2, 3])
        #expect(try found(nil, long + "b", isIncluded: false) == [1, 2])
        #expect(try found(long + "b", nil, isIncluded: true) == [3, 4, 5])
        #expect(try found(long + "b", nil, isIncluded: false) == [4, 5])
        #expect(try found(long + "b", long + "b", isIncluded: true) == [3])
    }
}
