import CloudKitWire
import NephosStorage
import NephosTesting
import Testing

@testable import NephosDomain

/// Numbers are compared exactly, docs/protocol.md Q14.
@Suite("Numbers in filters") struct QueryNumberTests {
    private static let desk = QueryFixture()

    private func test(_ field: String, _ comparator: String, _ number: String) throws -> QueryCondition.Test {
        try Self.desk.test(field, comparator, "{\"value\":\(number)}")
    }

    @Test("A fraction equals no INT64, and lies between two of them")
    func fractions() throws {
        #expect(try test("int64", "EQUALS", "5.5") == .isAny([]))
        #expect(try test("int64", "LESS_THAN", "5.5") == .isBetween(nil, .init(.integer(5), isIncluded: true)))
        #expect(try test("int64", "GREATER_THAN", "5.5") == .isBetween(.init(.integer(5), isIncluded: false), nil))
        #expect(
            try test("int64", "GREATER_THAN_OR_EQUALS", "-5.5")
                == .isBetween(.init(.integer(-6), isIncluded: false), nil))
        #expect(try test("int64", "EQUALS", "5.0") == .isAny([.integer(5)]))
        #expect(try test("int64", "LESS_THAN", "5e0") == .isBetween(nil, .init(.integer(5), isIncluded: false)))
        #expect(try Self.desk.conditions(QueryFixture.filter("int64", "NOT_EQUALS", #"{"value":5.5}"#)).isEmpty)
        #expect(try Self.desk.test("int64", "EQUALS", #"{"value":"5.5","type":"DOUBLE"}"#) == .isAny([]))
    }

    @Test("2^53 + 1 equals no DOUBLE, and lies between two of them")
    func bigIntegers() throws {
        let (below, above) = (QueryValue.double(0x1p53), QueryValue.double(0x1p53 + 2))
        #expect(try test("double", "EQUALS", "9007199254740993") == .isAny([]))
        #expect(try test("double", "LESS_THAN", "9007199254740993") == .isBetween(nil, .init(below, isIncluded: true)))
        #expect(
            try test("double", "LESS_THAN_OR_EQUALS", "9007199254740993")
                == .isBetween(nil, .init(below, isIncluded: true)))
        #expect(
            try test("double", "GREATER_THAN", "9007199254740993") == .isBetween(.init(below, isIncluded: false), nil))
        #expect(
            try test("double", "LESS_THAN", "9007199254740995")
                == .isBetween(nil, .init(.double(0x1p53 + 4), isIncluded: false)))
        #expect(
            try test("double", "GREATER_THAN", "9007199254740995")
                == .isBetween(.init(.double(0x1p53 + 4), isIncluded: true), nil))
        #expect(try test("double", "EQUALS", "9007199254740994") == .isAny([above]))
        #expect(
            try test("double", "LESS_THAN", "9223372036854775807")
                == .isBetween(nil, .init(.double(0x1p63), isIncluded: false)))
        let tagged = try Self.desk.test("double", "EQUALS", #"{"value":9007199254740993,"type":"DOUBLE"}"#)
        #expect(tagged == .isAny([below]), "a DOUBLE is the nearest there is")
    }

    @Test("Beyond the range of INT64 either all values are below a number, or none")
    func beyond() throws {
        #expect(try test("int64", "LESS_THAN", "1e300") == .isBetween(nil, .init(.integer(.max), isIncluded: true)))
        #expect(try test("int64", "GREATER_THAN", "1e300") == .isAny([]))
        #expect(try test("int64", "GREATER_THAN", "-1e300") == .isBetween(.init(.integer(.min), isIncluded: true), nil))
        #expect(try test("int64", "LESS_THAN_OR_EQUALS", "-1e300") == .isAny([]))
        #expect(
            try test("int64", "LESS_THAN", "9.223372036854775808e18")
                == .isBetween(nil, .init(.integer(.max), isIncluded: true)))
        #expect(try test("double", "EQUALS", "18446744073709551616") == .isAny([.double(0x1p64)]))
    }

    @Test("−0.0 is 0.0, booleans are 0 and 1")
    func zero() throws {
        guard case .isAny(let values) = try test("double", "EQUALS", "-0.0"), case .double(let zero)? = values.first
        else { throw Unexpected() }
        #expect(zero.sign == .plus)
        guard case .isBetween(nil, let bound?) = try test("double", "LESS_THAN", "-0"),
            case .double(let end) = bound.value
        else { throw Unexpected() }
        #expect(end.sign == .plus)
        #expect(try test("int64", "EQUALS", "true") == .isAny([.integer(1)]))
    }

    struct Unexpected: Error {}

    @Test("An element of a list that the type cannot hold equals no value")
    func lists() throws {
        #expect(try test("int64", "IN", "[1,1.0,1.5,2]") == .isAny([.integer(1), .integer(2)]))
        #expect(try test("int64", "IN", "[1.5]") == .isAny([]))
        #expect(try test("double", "NOT_IN", "[1,9007199254740993]") == .isNone([.double(1)]))
        #expect(try test("int64_list", "LIST_CONTAINS_ALL", "[1,1.5]") == .isAny([]))
        #expect(try test("int64_list", "LIST_CONTAINS_ANY", "[1,1.5]") == .holdsAny([.integer(1)]))
        let filter = QueryFixture.filter("int64_list", "NOT_LIST_CONTAINS_ALL", #"{"value":[1,1.5]}"#)
        #expect(try Self.desk.conditions(filter).isEmpty)
    }

    /// Compares the ranges with an independent oracle: numbers as sums of halves around the value.
    @Test("A range matches exactly what its comparator states", arguments: [1, 2, 3, 4])
    func property(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let comparators = ["LESS_THAN", "LESS_THAN_OR_EQUALS", "GREATER_THAN", "GREATER_THAN_OR_EQUALS"]
        for _ in 0..<60 {
            let integer =
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...60, using: &generator)
            let double =
                (Double(Int64.random(in: -9...9, using: &generator)) / 2)
                * (Bool.random(using: &generator) ? 1 : 0x1p52)
            for comparator in comparators {
                for stored in [Double(integer).nextDown, Double(integer), Double(integer).nextUp] {
                    let test = try test("double", comparator, "\(integer)")
                    #expect(
                        holds(test, .double(stored)) == judge(stored, integer, comparator),
                        "\(stored) \(comparator) \(integer)")
                }
                for offset: Int64 in -2...2 {
                    let stored = Int64(double.rounded()) + offset
                    let test = try test("int64", comparator, "\(double)")
                    #expect(
                        holds(test, .integer(stored)) == judge(double, stored, flipped[comparator] ?? ""),
                        "\(stored) \(comparator) \(double)")
                }
            }
        }
    }

    private let flipped = [
        "LESS_THAN": "GREATER_THAN", "LESS_THAN_OR_EQUALS": "GREATER_THAN_OR_EQUALS", "GREATER_THAN": "LESS_THAN",
        "GREATER_THAN_OR_EQUALS": "LESS_THAN_OR_EQUALS",
    ]

    /// Whether `double comparator integer`, by comparing whole parts as integers of 128 bits and then the rest.
    private func judge(_ double: Double, _ integer: Int64, _ comparator: String) -> Bool {
        let whole = Int128(double.rounded(.down))
        let isLess = whole < Int128(integer)
        let isEqual = whole == Int128(integer) && double == double.rounded(.down)
        switch comparator {
        case "LESS_THAN": return isLess
        case "LESS_THAN_OR_EQUALS": return isLess || isEqual
        case "GREATER_THAN": return !isLess && !isEqual
        default: return !isLess
        }
    }

    private func holds(_ test: QueryCondition.Test, _ value: QueryValue) -> Bool {
        guard case .isBetween(let lower, let upper) = test else { return false }
        func isBefore(_ left: QueryValue, _ right: QueryValue) -> Bool {
            switch (left, right) {
            case (.integer(let a), .integer(let b)): a < b
            case (.double(let a), .double(let b)): a < b
            default: false
            }
        }
        if let lower, isBefore(value, lower.value) || (value == lower.value && !lower.isIncluded) { return false }
        if let upper, isBefore(upper.value, value) || (value == upper.value && !upper.isIncluded) { return false }
        return true
    }
}
