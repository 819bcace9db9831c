import CloudKitWire
import NephosStorage
import NephosTesting
import Testing

@testable import NephosQueries

/// docs/decisions/0004, "The keys".
@Suite struct KeyTests {
    private static func keys(_ parts: [IndexShape.Part], _ record: PlainRecord) throws -> [Bytes] {
        IndexKeys([IndexShape(type: 1, parts: parts)]).keys(of: try record.row())[0]
    }

    /// The key of a record with a value, in an order by one field.
    private static func key(_ value: PlainValue?, _ type: FieldType, isDescending: Bool = false) throws -> Bytes {
        var record = PlainRecord(number: 1, zone: 1, name: "r")
        record.fields["f"] = value
        return try #require(keys([.order(.field("f", type, epoch: 0), isDescending: isDescending)], record).first)
    }

    private static func expect(_ values: [PlainValue], ascend type: FieldType) throws {
        for isDescending in [false, true] {
            var keys = try values.map { try key($0, type, isDescending: isDescending) }
            if isDescending { keys.reverse() }
            keys.append(try key(nil, type, isDescending: isDescending))
            for (left, right) in zip(keys, keys.dropFirst()) {
                #expect(left.lexicographicallyPrecedes(right), "\(left) \(right)")
                #expect(!right.starts(with: left))
            }
        }
    }

    @Test("Integers sort by value, in both directions, missing ones last")
    func integers() throws {
        try Self.expect(
            [.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max].map { .whole($0) }, ascend: .int64)
        try Self.expect([-1, 0, 1].map { .time($0) }, ascend: .timestamp)
    }

    @Test("Doubles sort by value, including the smallest and largest; both zeros are equal")
    func doubles() throws {
        let tiny = Double.leastNonzeroMagnitude
        let values = [
            -Double.greatestFiniteMagnitude, -1.5, -1, -Double.leastNormalMagnitude, -tiny, 0, tiny,
            Double.leastNormalMagnitude, 1, 1.5, Double.greatestFiniteMagnitude,
        ]
        try Self.expect(values.map { .number($0) }, ascend: .double)
        #expect(try Self.key(.number(-0.0), .double) == Self.key(.number(0), .double))
    }

    @Test("Strings sort by their bytes, including zeros and long ones")
    func strings() throws {
        let long = String(repeating: "a", count: 512)
        try Self.expect(
            [
                "", "\u{0}", "\u{0}\u{0}", "\u{0}\u{1}", "\u{1}", "a", "a\u{0}", "a\u{0}a", "a\u{1}", "aa", long,
                long + "a", "b", "\u{10FFFF}",
            ]
            .map { .text($0) }, ascend: .string)
        try Self.expect(
            [[], [0], [0, 0xFF], [1], [0xFE], [0xFF], [0xFF, 0], [0xFF, 0xFF]].map { .data($0) }, ascend: .bytes)
        #expect(try Self.key(.text(long + "a"), .string) == Self.key(.text(long + "b"), .string))
        #expect(try Self.key(.text(long), .string) != Self.key(.text(long + "b"), .string))
    }

    @Test("A key stays within the limits of all engines' B-trees", arguments: [1, 2, 4, 8])
    func size(orders: Int) throws {
        var record = PlainRecord(number: 1, zone: 1, name: "r")
        record.fields["f"] = .text(String(repeating: "\u{0}", count: 5_000))
        record.fields["l"] = .texts([String(repeating: "\u{0}", count: 5_000)])
        let field = RecordField.field("f", .string, epoch: 0)
        let parts: [IndexShape.Part] = [.value(field), .member(.field("l", .stringList, epoch: 0))]
        let order = IndexShape.Part.order(field, isDescending: true)
        let key = try #require(Self.keys(parts + Array(repeating: order, count: orders), record).first)
        #expect(key.count < 2_300)
    }

    @Test("Random values sort like their keys, in any direction and combination", arguments: Seeds.all(15))
    func composites(seed: UInt64) throws {
        var random = RandomQueries(seed: seed)
        let orders = (0..<random.number(1...4)).map { _ in
            QueryOrder(random.pick(Fields.sortable), isDescending: random.generator.once(in: 2))
        }
        let shape = IndexShape(type: 1, parts: orders.map { .order($0.field, isDescending: $0.isDescending) })
        let judge = PlainQuery(scan: QueryScan(extent: .database(1), type: 1, orders: orders, limit: 1))
        let records = (0..<40).map { index in
            var record = random.record(index, zones: [1])
            record.type = 1
            return record
        }
        let keys = try records.map { try IndexKeys([shape]).keys(of: $0.row())[0][0] }
        for (left, first) in zip(keys, records) {
            for (right, second) in zip(keys, records) where left != right {
                #expect(left.lexicographicallyPrecedes(right) == judge.precedes(first, second), "seed \(seed)")
            }
        }
    }

    @Test("A record has one entry for each member and each word, in order; a missing value has none")
    func several() throws {
        var record = PlainRecord(number: 1, zone: 1, name: "r")
        record.fields["tags"] = .texts(["b", "a", "b", ""])
        record.fields["text"] = .text("The cat, the CAT and a dog")
        let members = try Self.keys([.member(Fields.tags), .order(.createdAt, isDescending: false)], record)
        #expect(members.count == 3)
        #expect(members == members.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(try Self.keys([.token([Fields.text])], record).count == 2)
        #expect(try Self.keys([.token([Fields.text, Fields.tags])], record).count == 3)
        #expect(try Self.keys([.value(Fields.whole), .member(Fields.tags)], record).isEmpty)
        #expect(try Self.keys([.member(Fields.wholes)], record).isEmpty)
        #expect(try Self.keys([.cell(Fields.place)], record).isEmpty)
        record.type = 2
        #expect(try Self.keys([.member(Fields.tags)], record).isEmpty)
    }

    // docs/limits.md, "The worst requests"
    // Ten thousand are sorted at a time, in n log n steps (about 18 for each in a random order, 28 in the worst), and at least half
    // of them are new. Each is examined, sorted, merged with those that were kept, and compared with its neighbor.
    @Test("Each member costs at most 40 steps, whatever the members are and how many, once for all indexes of its list")
    func manySteps() throws {
        var random = SeededGenerator(seed: 1)
        for members in [
            (0..<50_000).map { _ in Int64.random(in: 0..<5_000, using: &random) }, Array(repeating: 1, count: 50_000),
            (0..<5_000).reversed().map { Int64($0) }, (0..<50_000).map { Int64($0 % 5_000) },
        ] {
            var record = PlainRecord(number: 1, zone: 1, name: "r")
            record.fields["wholes"] = .wholes(members)
            let orders: [[IndexShape.Part]] = [
                [], [.order(.createdAt, isDescending: false)], [.order(.recordName, isDescending: true)],
            ]
            let shapes = orders.map { IndexShape(type: 1, parts: [.member(Fields.wholes)] + $0) }
            var steps = 0
            let keys = IndexKeys(shapes).keys(of: try record.row(), &steps)
            #expect(keys.map(\.count) == Array(repeating: Set(members).count, count: 3))
            #expect((members.count...members.count * 40).contains(steps), "\(steps) for \(members.count)")
        }
    }

    @Test("A record with more words than an index accepts has one entry, and is found by any of them")
    func overflow() throws {
        var source = MemorySource()
        source.zoneNumbers = [1]
        source.otherRecords = 1_000
        var record = PlainRecord(number: 1, zone: 1, name: "r")
        record.fields["text"] = .text((0..<5_001).map { "w\($0)" }.joined(separator: " "))
        source.records[1] = try record.row()
        let shape = IndexShape(type: 1, parts: [.token([Fields.text]), .order(.recordName, isDescending: false)])
        #expect(IndexKeys([shape]).keys(of: try record.row())[0].count == 1)
        source.open([shape])
        for (word, count) in [("w0", 1), ("w5000", 1), ("w5001", 0)] {
            let scan = QueryScan(
                extent: .database(1), type: 1,
                conditions: [QueryCondition(Fields.text, .hasTokens([Bytes(word)], all: true))], limit: 10)
            #expect(try QueryWalk.page(scan, source: &source).records.count == count)
        }
        record.fields["text"] = .text((0..<5_000).map { "w\($0)" }.joined(separator: " "))
        #expect(IndexKeys([shape]).keys(of: try record.row())[0].count == 5_000)
    }

    @Test("Encrypted values, those of other types and those of removed fields count as missing")
    func missing() throws {
        var record = PlainRecord(number: 1, zone: 1, name: "r")
        func keys(_ epoch: Int64 = 0) throws -> Int {
            try Self.keys([.value(.field("f", .string, epoch: epoch))], record).count
        }
        record.fields["f"] = .text("x")
        #expect(try keys() == 1)
        #expect(try keys(1) == 0)
        record.epoch = 1
        #expect(try keys(1) == 1)
        record.fields["f"] = .encryptedText("x")
        #expect(try keys() == 0)
        record.fields["f"] = .whole(1)
        #expect(try keys() == 0)
    }
}
