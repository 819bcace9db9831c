import CloudKitWire
import NephosStorage

/// How the values of a field are compared; for a list, those of its elements.
enum ValueKind {
    case integer
    case double
    case bytes
    case user
    case place
    /// Not comparable: assets, lists of unknown type.
    case none
}

extension RecordField {
    var kind: ValueKind {
        switch self {
        case .field(_, let type, _): (type.element ?? type).kind
        case .recordName, .parent, .parentInShare: .bytes
        case .createdAt, .modifiedAt, .share: .integer
        case .createdBy, .modifiedBy: .user
        }
    }
}

extension FieldType {
    fileprivate var kind: ValueKind {
        switch self {
        case .int64, .timestamp: .integer
        case .double: .double
        case .string, .bytes, .reference: .bytes
        case .location: .place
        default: .none
        }
    }
}

extension QueryValue {
    /// The same value in a kind: integers and doubles are compared exactly. nil if no value of that kind is equal to it.
    func exactly(_ kind: ValueKind) -> QueryValue? {
        switch (self, kind) {
        case (.integer, .integer), (.bytes, .bytes), (.user, .user): self
        case (.double(let number), .double): number.isNaN ? nil : .double(number == 0 ? 0 : number)
        case (.integer(let number), .double): Double(exactly: number).map { .double($0) }
        case (.double(let number), .integer): Int64(exactly: number).map { .integer($0) }
        default: nil
        }
    }

    /// Compares two values of one kind; nil for different kinds.
    func compare(_ other: QueryValue) -> Int? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.double(let a), .double(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.bytes(let a), .bytes(let b)): compareKeys(a, b)
        case (.user(let a), .user(let b)):
            (a.high, a.low) < (b.high, b.low) ? -1 : a == b ? 0 : 1
        default: nil
        }
    }
}

extension QueryCondition.Bound {
    /// The equivalent bound of a range among values of a kind.
    enum Exact {
        case bound(QueryCondition.Bound?)
        /// The range contains no value of that kind.
        case nothing
    }

    func exactly(_ kind: ValueKind, isLower: Bool) -> Exact {
        if let value = value.exactly(kind) { return .bound(.init(value, isIncluded: isIncluded)) }
        switch (value, kind) {
        case (.integer(let number), .double):
            // The nearest double is adjacent to the number, with no other double between them.
            let nearest = Double(number)
            let isAbove = nearest >= 0x1p63 || Int64(nearest) > number
            return .bound(.init(.double(nearest), isIncluded: isAbove == isLower))
        case (.double(let number), .integer) where !number.isNaN:
            if number >= 0x1p63 { return isLower ? .nothing : .bound(nil) }
            if number < -0x1p63 { return isLower ? .bound(nil) : .nothing }
            return .bound(.init(.integer(Int64(number.rounded(.down))), isIncluded: !isLower))
        default: return .nothing
        }
    }
}
