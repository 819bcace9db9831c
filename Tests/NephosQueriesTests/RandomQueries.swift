import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting

/// The fields of the type of random records.
enum Fields {
    static let text = RecordField.field("text", .string, epoch: 0)
    static let late = RecordField.field("late", .string, epoch: 2)
    static let whole = RecordField.field("whole", .int64, epoch: 0)
    static let number = RecordField.field("number", .double, epoch: 0)
    static let time = RecordField.field("time", .timestamp, epoch: 0)
    static let data = RecordField.field("data", .bytes, epoch: 0)
    static let target = RecordField.field("target", .reference, epoch: 0)
    static let place = RecordField.field("place", .location, epoch: 0)
    static let tags = RecordField.field("tags", .stringList, epoch: 0)
    static let wholes = RecordField.field("wholes", .int64List, epoch: 0)
    static let numbers = RecordField.field("numbers", .doubleList, epoch: 0)
    static let targets = RecordField.field("targets", .referenceList, epoch: 0)

    static let sortable: [RecordField] = [
        text, late, whole, number, time, data, .recordName, .createdAt, .modifiedAt,
    ]
    static let comparable: [RecordField] =
        sortable + [target, .createdBy, .modifiedBy, .parent, .parentInShare, .share]
}

/// Random records and queries: with skew, missing values, ties, long and unusual strings.
struct RandomQueries {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    // MARK: Values

    private static let long = String(repeating: "x", count: 127)
    private static let veryLong = String(repeating: "lang ", count: 120)
    static let strings = [
        "", "common", "common", "common", "common", "a", "ab", "abc", "abd", "b", "B", "é", "e\u{301}", "日本", "\u{0}",
        "a\u{0}",
        "a\u{0}b", "a\u{0}\u{FF}", "a\u{1}", long, long + "x", long + "xy", long + "xz", veryLong, veryLong + "1",
        veryLong + "2", String(repeating: "\u{0}", count: 300), "\u{10FFFF}",
    ]
    private static let wholes: [Int64] = [0, 0, 0, 1, 2, 3, -1, -2, 255, 256, .max, .min, 9_007_199_254_740_993]
    private static let numbers: [Double] = [
        0, -0.0, 1, 1.5, -1.5, Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude, 1e308, -1e308, 2,
        9_007_199_254_740_992, 0.1, 3,
    ]
    private static let words = [
        "alpha", "beta", "gamma", "Über", "the", "delta", "epsilon", "Café", "zeta", "42", "rare", "alphabet",
    ]
    private static let places: [(Double, Double)] = [
        (52.5, 13.4), (52.5, 13.4), (52.5001, 13.4001), (52.49, 13.41), (48.1, 11.5), (0, 0), (90, 0), (-90, 10),
        (89.9, 170),
        (89.9, -10), (0, 180), (0, -180), (0.001, 179.999), (-0.001, -179.999), (-33.9, 151.2), (40.7, -74),
    ]

    mutating func record(_ index: Int, zones: [ZoneNumber]) -> PlainRecord {
        var record = PlainRecord(number: RecordNumber(index + 1), zone: pick(zones), name: "n\(number(0...9))-\(index)")
        if generator.once(in: 20) { record.type = 2 }
        record.createdAt = Int64(number(0...5))
        record.modifiedAt = Int64(number(0...1_000))
        record.createdBy = UserID(high: UInt64(number(0...2)) << 62, low: 7)
        record.modifiedBy = UserID(high: 1, low: UInt64(number(0...1)))
        if generator.once(in: 3) { record.parent = "p\(number(0...3))" }
        if generator.once(in: 2) { record.share = Int64(pick([-2, 2, 3])) }
        record.isShareRoot = generator.once(in: 5)
        record.epoch = Int64(number(0...3))
        func maybe(_ name: String, _ value: PlainValue) { record.fields[name] = value }
        if !generator.once(in: 6) { maybe("text", .text(text())) }
        if generator.once(in: 30) { maybe("text", .whole(1)) }
        if generator.once(in: 30) { maybe("text", .encryptedText("common")) }
        if generator.once(in: 2) { maybe("late", .text(pick(Self.strings))) }
        if !generator.once(in: 6) { maybe("whole", .whole(pick(Self.wholes))) }
        if !generator.once(in: 6) { maybe("number", .number(pick(Self.numbers))) }
        if !generator.once(in: 6) { maybe("time", .time(Int64(number(0...20)))) }
        if generator.once(in: 2) { maybe("data", .data(Array(pick(Self.strings).utf8.prefix(200)))) }
        if generator.once(in: 2) { maybe("target", .reference(pick(["r1", "r2", "r\"3", "r4"]))) }
        if !generator.once(in: 5) {
            let (latitude, longitude) = place()
            maybe("place", .place(latitude: latitude, longitude: longitude))
        }
        if !generator.once(in: 4) { maybe("tags", .texts((0..<number(0...4)).map { _ in pick(Self.strings) })) }
        if !generator.once(in: 4) { maybe("wholes", .wholes((0..<number(0...4)).map { _ in pick(Self.wholes) })) }
        return record
    }

    private mutating func text() -> String {
        if generator.once(in: 2) { return pick(Self.strings) }
        return (0..<number(1...6)).map { _ in pick(Self.words) }.joined(separator: pick([" ", ", ", "-", " 'n ' "]))
    }

    private mutating func place() -> (Double, Double) {
        if generator.once(in: 3) {
            return (Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
        }
        let (latitude, longitude) = pick(Self.places)
        if generator.once(in: 2) { return (latitude, longitude) }
        return (
            min(90, max(-90, latitude + Double.random(in: -0.01...0.01, using: &generator))),
            min(180, max(-180, longitude + Double.random(in: -0.01...0.01, using: &generator)))
        )
    }

    // MARK: Queries

    mutating func value(for field: RecordField) -> QueryValue {
        switch field {
        case .field(_, .int64, _): .integer(pick(Self.wholes))
        case .field(_, .int64List, _): .integer(pick(Self.wholes))
        case .field(_, .timestamp, _): .integer(Int64(number(-1...21)))
        case .field(_, .double, _):
            generator.once(in: 4) ? .integer(pick(Self.wholes)) : .double(pick(Self.numbers) + 0)
        case .field(_, .reference, _): .bytes(Bytes(pick(["r1", "r2", "r\"3", "nobody"])))
        case .field: .bytes(Bytes(pick(Self.strings)))
        case .recordName: .bytes(Bytes("n\(number(0...9))-\(number(0...400))"))
        case .parent, .parentInShare: .bytes(Bytes("p\(number(0...4))"))
        case .share: .integer(Int64(pick([-2, 2, 3, 4])))
        case .createdAt: .integer(Int64(number(0...5)))
        case .modifiedAt: .integer(Int64(number(0...1_000)))
        case .createdBy: .user(UserID(high: UInt64(number(0...2)) << 62, low: 7))
        case .modifiedBy: .user(UserID(high: 1, low: UInt64(number(0...1))))
        }
    }

    private mutating func values(for field: RecordField) -> [QueryValue] {
        (0..<number(generator.once(in: 8) ? 0...1 : 1...4)).map { _ in value(for: field) }
    }

    private mutating func bound(for field: RecordField) -> QueryCondition.Bound? {
        generator.once(in: 3) ? nil : .init(value(for: field), isIncluded: generator.once(in: 2))
    }

    private mutating func beginning() -> Bytes {
        let text = pick(Self.strings)
        return Bytes(String(text.prefix(number(0...max(1, text.count)))))
    }

    mutating func condition() -> QueryCondition {
        let field = pick(Fields.comparable)
        switch number(0...14) {
        case 0, 1, 2: return QueryCondition(field, .isAny(values(for: field)))
        case 3: return QueryCondition(field, .isNone(values(for: field)))
        case 4, 5: return QueryCondition(field, .isBetween(bound(for: field), bound(for: field)))
        case 6: return QueryCondition(pick([Fields.text, Fields.late]), .beginsWith(beginning()))
        case 7: return QueryCondition(Fields.text, .beginsNotWith(beginning()))
        case 8, 9:
            let list = pick([Fields.tags, Fields.wholes])
            let values = values(for: list)
            return QueryCondition(
                list, pick([.holdsAny(values), .holdsAll(values), .holdsNone(values), .holdsNotAll(values)]))
        case 10:
            return QueryCondition(
                Fields.tags, pick([.memberBeginsWith(beginning()), .noMemberBeginsWith(beginning())]))
        case 11, 12:
            let text = (0..<number(1...3)).map { _ in pick(Self.words) }.joined(separator: " ")
            let fields = pick([[Fields.text], [Fields.tags], [Fields.text, Fields.tags]])
            return QueryCondition(fields, .hasTokens(Tokeniser.tokens(in: Bytes(text)), all: generator.once(in: 2)))
        case 13:
            let times = [nil, Fields.time, Fields.whole, .createdAt]
            guard case .integer(let now) = value(for: pick([Fields.time, Fields.whole])) else { return condition() }
            let proofs = values(for: Fields.tags).compactMap { value -> Bytes? in
                if case .bytes(let text) = value { text } else { nil }
            }
            return .isOpen(
                RecordHours(start: pick(times), end: pick(times), access: pick([nil, Fields.tags])), at: now,
                proofs: Set(proofs),
                unlessMadeBy: generator.once(in: 2) ? UserID(high: UInt64(number(0...2)) << 62, low: 7) : nil)
        default:
            return QueryCondition(Fields.place, .isNear(origin(), metres: pick([0, 10, 500, 5_000, 2e5, 3e6, 3e7])))
        }
    }

    private mutating func origin() -> Place {
        let (latitude, longitude) = place()
        return Place(latitude: latitude, longitude: longitude)
    }

    mutating func order() -> QueryOrder {
        if generator.once(in: 5) {
            return QueryOrder(Fields.place, isDescending: generator.once(in: 5), origin: origin())
        }
        return QueryOrder(pick(Fields.sortable), isDescending: generator.once(in: 2))
    }

    mutating func scan() -> QueryScan {
        let hasOrders = !generator.once(in: 4)
        var orders: [QueryOrder] = []
        for _ in 0..<(hasOrders ? pick([1, 1, 1, 2, 2, 3, 5]) : 0) {
            let next = order()
            if next.origin == nil || !orders.contains(where: { $0.origin != nil }) { orders.append(next) }
        }
        return QueryScan(
            extent: .database(1), type: 1, conditions: (0..<pick([0, 1, 1, 1, 2, 2, 3])).map { _ in condition() },
            orders: orders, limit: pick([1, 2, 5, 20, 50, 200]), byteLimit: pick([1, 2_000, 8 << 20, 8 << 20]))
    }
}
