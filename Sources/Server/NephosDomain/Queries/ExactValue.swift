import CloudKitWire
import NephosStorage

/// Compares the value of a filter with the values that a field can hold, without rounding (docs/protocol.md, Q14).
///
/// An INT64 field cannot hold 5.5, and no double is 2^53 + 1: nothing equals such a value, but there are values below it.
enum ExactValue {
    /// The value as the field stores it; nil if the field cannot hold an equal one.
    static func equal(to value: FilterValue, in field: QueriedField) -> QueryValue? {
        switch value {
        case .integer(let number):
            guard (field.type.element ?? field.type) == .double else { return .integer(number) }
            return Double(exactly: number).map(QueryValue.double)
        case .double(let number):
            guard (field.type.element ?? field.type) == .double else {
                return Int64(exactly: number).map { .integer($0) }
            }
            return .double(positive(number))
        case .string(let bytes), .bytes(let bytes): return .bytes(bytes)
        case .recordName(let name):
            guard field.isUser else { return .bytes(name.bytes) }
            return UserID(recordName: name.text).map { .user($0) }
        case .location: return nil
        }
    }

    /// The upper bound of a range with all values below the given one that the field can hold; nil if there are none.
    static func upperBound(
        _ value: FilterValue, isIncluded: Bool, in field: QueriedField
    ) -> QueryCondition.Bound? {
        switch (value, field.type) {
        case (.integer(let number), .double):
            let nearest = Double(number)
            if Double(exactly: number) != nil { return QueryCondition.Bound(.double(nearest), isIncluded: isIncluded) }
            return QueryCondition.Bound(.double(nearest), isIncluded: !isAbove(nearest, number))
        case (.double(let number), .int64), (.double(let number), .timestamp):
            if number < -0x1p63 { return nil }
            if number >= 0x1p63 { return QueryCondition.Bound(.integer(.max), isIncluded: true) }
            let floor = number.rounded(.down)
            return QueryCondition.Bound(.integer(Int64(floor)), isIncluded: isIncluded || floor != number)
        default: return equal(to: value, in: field).map { QueryCondition.Bound($0, isIncluded: isIncluded) }
        }
    }

    /// The lower bound of a range with all values above the given one that the field can hold; nil if there are none.
    static func lowerBound(
        _ value: FilterValue, isIncluded: Bool, in field: QueriedField
    ) -> QueryCondition.Bound? {
        switch (value, field.type) {
        case (.integer(let number), .double):
            let nearest = Double(number)
            if Double(exactly: number) != nil { return QueryCondition.Bound(.double(nearest), isIncluded: isIncluded) }
            return QueryCondition.Bound(.double(nearest), isIncluded: isAbove(nearest, number))
        case (.double(let number), .int64), (.double(let number), .timestamp):
            if number < -0x1p63 { return QueryCondition.Bound(.integer(.min), isIncluded: true) }
            if number >= 0x1p63 { return nil }
            let floor = number.rounded(.down)
            return QueryCondition.Bound(.integer(Int64(floor)), isIncluded: isIncluded && floor == number)
        default: return equal(to: value, in: field).map { QueryCondition.Bound($0, isIncluded: isIncluded) }
        }
    }

    /// Whether the double nearest to an integer is greater than it.
    private static func isAbove(_ nearest: Double, _ number: Int64) -> Bool {
        nearest >= 0x1p63 || Int64(nearest) > number
    }

    /// −0.0 equals 0.0.
    private static func positive(_ number: Double) -> Double { number == 0 ? 0 : number }
}
