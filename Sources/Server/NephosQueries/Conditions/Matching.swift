import NephosStorage

/// A condition made ready for many records.
struct PreparedCondition {
    var fields: [RecordField]
    /// The fields in the selection that the values are read with.
    var slots: [Int]
    var test: QueryCondition.Test
    /// The circle of `isNear`, and where it lies among cells, once the planner has looked.
    var circle: Circle?
    var cells: [PartInterval] = []

    /// The one field that all tests but those for words look at.
    var field: RecordField { fields[0] }

    func matches(_ values: RecordValues) -> Bool {
        if case .hasTokens(let words, let all) = test { return hasTokens(words, all: all, values) }
        return test.matches(values[slots[0]])
    }

    private func hasTokens(_ words: [Bytes], all: Bool, _ values: RecordValues) -> Bool {
        // Words are few and texts long: look at each word of the texts once, and stop as soon as all is known.
        var missing = words
        for slot in slots {
            values[slot].forEachToken { found in
                if let index = missing.firstIndex(where: { $0.equals(found) }) { missing.remove(at: index) }
                return !missing.isEmpty && (all || missing.count == words.count)
            }
            if missing.isEmpty || !all && missing.count < words.count { return true }
        }
        return false
    }
}

extension QueryCondition.Test {
    /// Whether one value passes. A missing one, and one that the test is not made for, passes only what denies.
    func matches(_ value: FieldValue) -> Bool {
        switch self {
        case .isAny(let values): value.one.map { values.contains($0) } ?? false
        case .isNone(let values): value.one.map { !values.contains($0) } ?? true
        case .isBetween(let lower, let upper): value.one.map { Self.lies($0, lower, upper) } ?? false
        case .beginsWith(let beginning): value.one?.begins(with: beginning) ?? false
        case .beginsNotWith(let beginning): !(value.one?.begins(with: beginning) ?? false)
        case .holdsAny(let values): value.members.map { $0.contains { values.contains($0) } } ?? false
        case .holdsNone(let values): !(value.members.map { $0.contains { values.contains($0) } } ?? false)
        case .holdsAll(let values): value.members.map { Self.all(values, in: $0) } ?? false
        case .holdsNotAll(let values): !(value.members.map { Self.all(values, in: $0) } ?? false)
        case .memberBeginsWith(let beginning):
            value.members.map { $0.contains { $0.begins(with: beginning) } } ?? false
        case .noMemberBeginsWith(let beginning):
            !(value.members.map { $0.contains { $0.begins(with: beginning) } } ?? false)
        case .isNear(let place, let metres):
            if case .place(let found) = value { place.distance(to: found) <= metres } else { false }
        case .hasTokens: false
        }
    }

    private static func lies(_ value: QueryValue, _ lower: QueryCondition.Bound?, _ upper: QueryCondition.Bound?)
        -> Bool
    {
        if let lower {
            guard let order = value.compare(lower.value), order > 0 || order == 0 && lower.isIncluded else {
                return false
            }
        }
        if let upper {
            guard let order = value.compare(upper.value), order < 0 || order == 0 && upper.isIncluded else {
                return false
            }
        }
        return true
    }

    private static func all(_ values: [QueryValue], in members: [QueryValue]) -> Bool {
        values.allSatisfy { members.contains($0) }
    }
}

extension FieldValue {
    fileprivate var one: QueryValue? { if case .one(let value) = self { value } else { nil } }
    fileprivate var members: [QueryValue]? { if case .list(let values) = self { values } else { nil } }
}

extension QueryValue {
    fileprivate func begins(with beginning: Bytes) -> Bool {
        if case .bytes(let bytes) = self { bytes.starts(with: beginning) } else { false }
    }
}

extension Bytes {
    fileprivate func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        count == other.count && withUnsafeBytes { compareBytes($0, UnsafeRawBufferPointer(other)) == 0 }
    }
}
