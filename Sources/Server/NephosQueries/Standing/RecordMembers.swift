import NephosStorage

/// The members and words of one record, distinct and hashed: many queries are compared with it, so the cost of each depends on
/// the values in the query, not on those in the record.
struct RecordMembers {
    let values: RecordValues
    /// The work so far: members and words that were collected, and values that were looked up.
    private(set) var meter = Meter()
    private var sets: [Int: ValueSet] = [:]
    private var words: [Int: ValueSet] = [:]
    private var ordered: [Int: [Bytes]] = [:]

    init(_ values: RecordValues) { self.values = values }

    /// ``PreparedCondition/matches(_:_:)-(RecordValues,_)``.
    mutating func meet(_ condition: PreparedCondition) -> Bool {
        let slot = condition.slots[0]
        switch condition.test {
        case .holdsAny: return isList(slot) && holdsAny(condition, slot)
        case .holdsNone: return !(isList(slot) && holdsAny(condition, slot))
        case .holdsAll: return isList(slot) && holdsAll(condition, slot)
        case .holdsNotAll: return !(isList(slot) && holdsAll(condition, slot))
        case .memberBeginsWith(let beginning): return begins(beginning, slot)
        case .noMemberBeginsWith(let beginning): return !begins(beginning, slot)
        case .hasTokens(_, let all): return hasWords(condition, all: all)
        case .isAny, .isNone, .isBetween, .beginsWith, .beginsNotWith, .isNear, .isOpen:
            return condition.matches(values, &meter)
        }
    }

    /// The distinct members of a list.
    mutating func members(_ slot: Int) -> [QueryValue] { set(slot).values }

    private func isList(_ slot: Int) -> Bool { values[slot].members != nil }

    private mutating func holdsAny(_ condition: PreparedCondition, _ slot: Int) -> Bool {
        let set = set(slot)
        return condition.values.values.contains { set.place(of: $0, &meter) != nil }
    }

    private mutating func holdsAll(_ condition: PreparedCondition, _ slot: Int) -> Bool {
        let set = set(slot)
        return condition.values.values.allSatisfy { set.place(of: $0, &meter) != nil }
    }

    private mutating func hasWords(_ condition: PreparedCondition, all: Bool) -> Bool {
        let sets = condition.slots.map { words(of: $0) }
        func isThere(_ word: QueryValue) -> Bool { sets.contains { $0.place(of: word, &meter) != nil } }
        return all ? condition.values.values.allSatisfy(isThere) : condition.values.values.contains(where: isThere)
    }

    /// Whether a member has this prefix: if any has, the first in order that is not less has it.
    private mutating func begins(_ beginning: Bytes, _ slot: Int) -> Bool {
        let members = ordered(slot)
        var (low, high) = (0, members.count)
        while low < high {
            _ = meter.goesOn()
            let middle = (low + high) / 2
            if compareKeys(members[middle], beginning) < 0 { low = middle + 1 } else { high = middle }
        }
        return low < members.count && members[low].starts(with: beginning)
    }

    // MARK: Computed once

    private mutating func set(_ slot: Int) -> ValueSet {
        if let known = sets[slot] { return known }
        var set = ValueSet()
        let members = values[slot].members ?? []
        _ = meter.goesOn(members.count)
        for member in members { set.insert(member) }
        sets[slot] = set
        return set
    }

    private mutating func words(of slot: Int) -> ValueSet {
        if let known = words[slot] { return known }
        var set = ValueSet()
        values[slot].forEachToken { word in
            set.insert(.bytes(Array(word)[...]))
            return true
        }
        _ = meter.goesOn(set.count)
        words[slot] = set
        return set
    }

    private mutating func ordered(_ slot: Int) -> [Bytes] {
        if let known = ordered[slot] { return known }
        let texts = members(slot).compactMap { if case .bytes(let text) = $0 { text } else { nil } }
        let sorted = texts.sorted { compareKeys($0, $1) < 0 }
        ordered[slot] = sorted
        return sorted
    }
}
