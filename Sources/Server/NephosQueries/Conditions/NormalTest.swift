import NephosStorage

/// A test with its values converted to the kind of the field, or its constant result.
enum NormalTest {
    case test(QueryCondition.Test)
    case always
    case never

    init(_ test: QueryCondition.Test, _ kind: ValueKind) {
        switch test {
        case .isAny(let values): self = Self.some(values, kind).map { .test(.isAny($0)) } ?? .never
        case .isNone(let values): self = Self.some(values, kind).map { .test(.isNone($0)) } ?? .always
        case .isBetween(let lower, let upper): self.init(from: lower, to: upper, kind)
        case .holdsAny(let values): self = Self.some(values, kind).map { .test(.holdsAny($0)) } ?? .never
        case .holdsNone(let values): self = Self.some(values, kind).map { .test(.holdsNone($0)) } ?? .always
        case .holdsAll(let values): self = Self.all(values, kind).map { .test(.holdsAll($0)) } ?? .never
        case .holdsNotAll(let values): self = Self.all(values, kind).map { .test(.holdsNotAll($0)) } ?? .always
        case .hasTokens(let words, let all):
            self = words.isEmpty ? (all ? .always : .never) : .test(.hasTokens(Self.distinct(words), all: all))
        case .isNear(_, let metres): self = metres >= 0 && kind == .place ? .test(test) : .never
        case .isOpen: self = .test(test)
        case .beginsWith, .memberBeginsWith: self = kind == .bytes ? .test(test) : .never
        case .beginsNotWith, .noMemberBeginsWith: self = kind == .bytes ? .test(test) : .always
        }
    }

    private init(from lower: QueryCondition.Bound?, to upper: QueryCondition.Bound?, _ kind: ValueKind) {
        guard case .bound(let lower) = lower.map({ $0.exactly(kind, isLower: true) }) ?? .bound(nil),
            case .bound(let upper) = upper.map({ $0.exactly(kind, isLower: false) }) ?? .bound(nil),
            !Self.excludeEachOther(lower, upper)
        else {
            self = .never
            return
        }
        self = .test(.isBetween(lower, upper))
    }

    /// Whether the range between two bounds is empty.
    private static func excludeEachOther(_ lower: QueryCondition.Bound?, _ upper: QueryCondition.Bound?) -> Bool {
        guard let lower, let upper, let order = lower.value.compare(upper.value) else { return false }
        return order > 0 || order == 0 && !(lower.isIncluded && upper.isIncluded)
    }

    /// The values that something can be equal to; nil if there are none.
    private static func some(_ values: [QueryValue], _ kind: ValueKind) -> [QueryValue]? {
        let values = distinct(values.compactMap { $0.exactly(kind) })
        return values.isEmpty ? nil : values
    }

    /// All values; nil if nothing can be equal to one of them.
    private static func all(_ values: [QueryValue], _ kind: ValueKind) -> [QueryValue]? {
        let exact = values.compactMap { $0.exactly(kind) }
        return exact.count < values.count ? nil : distinct(exact)
    }

    private static func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
        if values.count < 2 { return values }
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// The intersection of two ranges.
    static func intersection(
        _ first: (QueryCondition.Bound?, QueryCondition.Bound?),
        _ second: (QueryCondition.Bound?, QueryCondition.Bound?),
        _ kind: ValueKind
    ) -> NormalTest {
        func narrower(
            _ first: QueryCondition.Bound?, _ second: QueryCondition.Bound?, sign: Int
        ) -> QueryCondition.Bound? {
            guard let first, let second, let order = first.value.compare(second.value) else { return first ?? second }
            if order == 0 { return first.isIncluded ? second : first }
            return order * sign > 0 ? first : second
        }
        return NormalTest(
            from: narrower(first.0, second.0, sign: 1), to: narrower(first.1, second.1, sign: -1), kind)
    }
}
