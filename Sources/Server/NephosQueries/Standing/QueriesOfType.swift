import NephosStorage

/// The standing queries of one record type.
struct QueriesOfType: Sendable {
    /// Where a query is registered.
    private enum Place: Sendable {
        /// Under these values of a field, or members of a list.
        case values(slot: Int, [QueryValue])
        case range(slot: Int, lower: QueryCondition.Bound?, upper: QueryCondition.Bound?)
        case list
        /// No record matches it.
        case nowhere
    }

    private struct Key: Hashable {
        var slot: Int
        var value: QueryValue
    }

    private struct Waiting: Sendable {
        var conditions: PreparedConditions
        var place: Place
    }

    /// The fields that any query uses: a record is read once for all queries.
    private var selection = FieldSelection()
    private var queries: [Int: Waiting] = [:]
    private var atValues: [Key: Set<Int>] = [:]
    /// How many queries are registered under values or members of a field.
    private var waitingAt: [Int: Int] = [:]
    private var inRanges: [Int: RangeIndex] = [:]
    private var inList: Set<Int> = []

    var isEmpty: Bool { queries.isEmpty }

    mutating func insert(_ number: Int, _ conditions: [QueryCondition]) {
        let prepared = PreparedConditions(conditions, &selection)
        let place = Self.place(of: prepared)
        queries[number] = Waiting(conditions: prepared, place: place)
        switch place {
        case .values(let slot, let values):
            waitingAt[slot, default: 0] += 1
            for value in values { atValues[Key(slot: slot, value: value), default: []].insert(number) }
        case .range(let slot, let lower, let upper):
            inRanges[slot, default: RangeIndex()].insert(number, lower, upper)
        case .list: inList.insert(number)
        case .nowhere: break
        }
    }

    mutating func remove(_ number: Int) {
        guard let waiting = queries.removeValue(forKey: number) else { return }
        switch waiting.place {
        case .values(let slot, let values):
            waitingAt[slot] = waitingAt[slot].flatMap { $0 > 1 ? $0 - 1 : nil }
            for key in values.map({ Key(slot: slot, value: $0) }) {
                atValues[key]?.remove(number)
                if atValues[key]?.isEmpty == true { atValues[key] = nil }
            }
        case .range(let slot, _, _):
            inRanges[slot]?.remove(number)
            if inRanges[slot]?.isEmpty == true { inRanges[slot] = nil }
        case .list: inList.remove(number)
        case .nowhere: break
        }
    }

    /// - Parameters:
    ///   - after: Only queries with greater numbers.
    ///   - comparisonsMax: After this many the rest is left for later; one query is always compared.
    mutating func matches(
        _ record: RecordRow, after: Int, comparisonsMax: Int
    ) -> StandingQueries.Matches {
        let values = RecordValues(record, selection)
        var members = RecordMembers(values)
        let candidates = candidates(values, &members).filter { $0 > after }.sorted()
        var matches = StandingQueries.Matches()
        for (place, number) in candidates.enumerated() {
            if place > 0, members.meter.comparisons > comparisonsMax {
                matches.lookedTo = candidates[place - 1]
                break
            }
            matches.examined += 1
            if let query = queries[number], query.conditions.list.allSatisfy({ members.meet($0) }) {
                matches.numbers.append(number)
            }
        }
        matches.comparisons = members.meter.comparisons
        return matches
    }

    /// The queries registered under the values of the record.
    private mutating func candidates(_ values: RecordValues, _ members: inout RecordMembers) -> Set<Int> {
        var candidates = inList
        for slot in selection.fields.indices {
            switch values[slot] {
            case .one(let value):
                if let found = atValues[Key(slot: slot, value: value)] { candidates.formUnion(found) }
                inRanges[slot]?.forEach(around: value) { candidates.insert($0) }
            case .list where waitingAt[slot] != nil:
                // Each once: a list may repeat a member half a million times.
                for member in members.members(slot) {
                    if let found = atValues[Key(slot: slot, value: member)] { candidates.formUnion(found) }
                }
            case .missing, .place, .list: break
            }
        }
        return candidates
    }

    /// Under the fewest values, if any condition has some; otherwise in the range of the first condition with one.
    private static func place(of conditions: PreparedConditions) -> Place {
        if conditions.isImpossible { return .nowhere }
        var best: (slot: Int, values: [QueryValue])?
        for condition in conditions.list {
            guard let values = condition.test.neededValues, let slot = condition.slots.first else { continue }
            if best.map({ values.count < $0.values.count }) ?? true { best = (slot, values) }
        }
        if let best { return .values(slot: best.slot, best.values) }
        for condition in conditions.list {
            if case .isBetween(let lower, let upper) = condition.test, let slot = condition.slots.first {
                return .range(slot: slot, lower: lower, upper: upper)
            }
        }
        return .list
    }
}

extension QueryCondition.Test {
    /// Values of which a matching record has at least one; nil if there is no such set.
    fileprivate var neededValues: [QueryValue]? {
        switch self {
        case .isAny(let values), .holdsAny(let values): values
        case .holdsAll(let values): values.first.map { [$0] }
        default: nil
        }
    }
}
