import NephosStorage

/// The ideal indexes for a query.
struct IdealShapes {
    /// The maximum number of fields that a wanted index fixes to a value: more do not improve it, but make it useful to fewer
    /// queries.
    private static let valuesMax = 4

    let type: TypeNumber
    let planner: AccessPlanner

    /// The ideal indexes that are not in `ready`: one to walk in order, and one for the condition that may leave the fewest
    /// records.
    func wanted(ready: [IndexRow]) -> [IndexShape] {
        var shapes: [IndexShape] = []
        if let walk { shapes.append(walk) }
        if let selective { shapes.append(selective) }
        if shapes.isEmpty, planner.restricting != nil { shapes.append(IndexShape(type: type, parts: values.parts)) }
        return shapes.filter { shape in !ready.contains { shape.isLike($0.shape) } }
    }

    /// Equalities, then the order. An order with two distances has no index.
    private var walk: IndexShape? {
        guard planner.orders.count(where: { $0.origin != nil }) < 2 else { return nil }
        let (values, intervals) = values
        return IndexShape(type: type, parts: values + several(besides: intervals) + planner.orderParts)
    }

    /// Fields with several values multiply the intervals; fields that would make too many are left to be compared. Shares come first.
    ///
    /// - Returns: Also the number of intervals in each zone.
    private var values: (parts: [IndexShape.Part], intervals: Int) {
        var parts: [IndexShape.Part] = []
        var intervals = 1
        let restricting = planner.restricting.map { [planner.conditions[$0]] } ?? []
        for condition in restricting + planner.conditions where parts.count < Self.valuesMax {
            guard case .isAny(let values) = condition.test, !isFirstOrder(condition.field),
                values.count == 1 || intervals * values.count <= planner.intervalsMax,
                !parts.contains(.value(condition.field))
            else { continue }
            intervals *= values.count
            parts.append(.value(condition.field))
        }
        let first = parts.prefix(restricting.count)
        return (first + parts.dropFirst(first.count).sorted { $0.precedes($1) }, intervals)
    }

    private func several(besides intervals: Int) -> [IndexShape.Part] {
        for condition in planner.conditions {
            switch condition.test {
            case .hasTokens(let words, let all):
                guard intervals * (all ? 2 : words.count + 1) <= planner.intervalsMax else { continue }
                return [.token(condition.fields.distinct().sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })]
            case .holdsAny(let members) where members.count <= AccessPlanner.rangesMax / 4:
                guard intervals * (members.count + 1) <= planner.intervalsMax else { continue }
                return [.member(condition.field)]
            case .holdsAll(let members) where !members.isEmpty:
                guard intervals * 2 <= planner.intervalsMax else { continue }
                return [.member(condition.field)]
            default: continue
            }
        }
        return []
    }

    private var selective: IndexShape? {
        var best: (rank: Int, part: IndexShape.Part)?
        for condition in planner.conditions where !isFirstOrder(condition.field) {
            guard let (rank, part) = Self.range(condition), rank < best?.rank ?? .max else { continue }
            best = (rank, part)
        }
        return best.map { IndexShape(type: type, parts: values.parts + [$0.part]) }
    }

    /// The part for a test that a range of keys answers; lower ranks leave fewer records.
    private static func range(_ condition: PreparedCondition) -> (Int, IndexShape.Part)? {
        switch condition.test {
        case .isNear: (0, .cell(condition.field))
        case .beginsWith: (1, .value(condition.field))
        case .memberBeginsWith: (2, .member(condition.field))
        case .isBetween(.some, .some): (3, .value(condition.field))
        case .isBetween: (4, .value(condition.field))
        default: nil
        }
    }

    private func isFirstOrder(_ field: RecordField) -> Bool { planner.orders.first?.field == field }
}

extension IndexShape {
    /// Whether both contain the same; the fixed parts may be in any order.
    fileprivate func isLike(_ other: IndexShape) -> Bool {
        type == other.type && orderParts.elementsEqual(other.orderParts)
            && fixedParts.count == other.fixedParts.count && Set(fixedParts) == Set(other.fixedParts)
    }
}

extension IndexShape.Part {
    /// Any order that does not depend on the query is suitable.
    fileprivate func precedes(_ other: IndexShape.Part) -> Bool {
        IndexShape(type: 0, parts: [self]).bytes.lexicographicallyPrecedes(IndexShape(type: 0, parts: [other]).bytes)
    }
}

extension RecordField {
    fileprivate var bytes: [UInt8] { IndexShape(type: 0, parts: [.value(self)]).bytes }
}

extension [RecordField] {
    fileprivate func distinct() -> [RecordField] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
