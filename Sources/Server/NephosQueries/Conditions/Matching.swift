import CloudKitWire
import NephosStorage

/// A condition prepared for many records.
struct PreparedCondition: Sendable {
    var fields: [RecordField]
    /// The slots of the fields in the selection with which values are read.
    var slots: [Int]
    var test: QueryCondition.Test { didSet { values = test.values } }
    /// The values in the test, prepared for look-up from many records.
    private(set) var values: ValueSet
    /// The circle of `isNear`, and the cells that cover it, once the planner has computed them.
    var circle: Circle?
    var cells: [PartInterval] = []

    init(fields: [RecordField], slots: [Int], test: QueryCondition.Test) {
        self.fields = fields
        self.slots = slots
        self.test = test
        values = test.values
    }

    /// The single field of all tests except those for words.
    var field: RecordField { fields[0] }

    /// Whether a record passes; undefined if the meter is over.
    func matches(_ record: RecordValues, _ meter: inout Meter) -> Bool {
        switch test {
        case .hasTokens(_, let all): hasTokens(all: all, record, &meter)
        case .isOpen(let now, let hours, let proofs, let exempt):
            meter.goesOn() && isOpen(at: now, hours, proofs: proofs, exempt: exempt, record, &meter)
        default: matches(record[slots[0]], &meter)
        }
    }

    /// Whether one value passes. A missing value, and one that does not fit the test, passes only negations.
    func matches(_ value: FieldValue, _ meter: inout Meter) -> Bool {
        switch test {
        case .isAny: value.one.map { values.place(of: $0, &meter) != nil } ?? false
        case .isNone: value.one.map { values.place(of: $0, &meter) == nil } ?? true
        case .holdsAny: value.members.map { holdsAny($0, &meter) } ?? false
        case .holdsNone: !(value.members.map { holdsAny($0, &meter) } ?? false)
        case .holdsAll: value.members.map { holdsAll($0, &meter) } ?? false
        case .holdsNotAll: !(value.members.map { holdsAll($0, &meter) } ?? false)
        case .memberBeginsWith(let beginning): value.members.map { Self.begins($0, beginning, &meter) } ?? false
        case .noMemberBeginsWith(let beginning): !(value.members.map { Self.begins($0, beginning, &meter) } ?? false)
        case .isBetween(let lower, let upper): meter.goesOn() && (value.one?.isBetween(lower, upper) ?? false)
        case .beginsWith(let beginning): meter.goesOn() && (value.one?.begins(with: beginning) ?? false)
        case .beginsNotWith(let beginning): meter.goesOn() && !(value.one?.begins(with: beginning) ?? false)
        case .isNear(let place, let metres):
            if meter.goesOn(), case .place(let found) = value { place.distance(to: found) <= metres } else { false }
        case .hasTokens, .isOpen: false
        }
    }

    private func isOpen(
        at now: Milliseconds, _ hours: RecordHours, proofs: Set<Bytes>?, exempt: UserID?, _ record: RecordValues,
        _ meter: inout Meter
    ) -> Bool {
        if let exempt, let creator = slots.last, record[creator].one == .user(exempt) { return true }
        // Fields are in the order of ``RecordHours/fields``.
        var place = 0
        if hours.start != nil {
            guard case .integer(let start)? = record[slots[place]].one, start <= now else { return false }
            place += 1
        }
        if hours.end != nil {
            if case .integer(let end)? = record[slots[place]].one, now >= end { return false }
            place += 1
        }
        if hours.every != nil {
            if case .bytes(let text)? = record[slots[place]].one, !RecurringHours.contain(now, text) { return false }
            place += 1
        }
        guard let proofs, let asked = record[slots[place]].members, !asked.isEmpty else { return true }
        for word in asked {
            if case .bytes(let word) = word, proofs.contains(word) { return true }
            guard meter.goesOn() else { return false }
        }
        return false
    }

    private func holdsAny(_ members: [QueryValue], _ meter: inout Meter) -> Bool {
        for member in members {
            if values.place(of: member, &meter) != nil { return true }
            if meter.isOver { return false }
        }
        return false
    }

    private func holdsAll(_ members: [QueryValue], _ meter: inout Meter) -> Bool {
        Missing.of(values.count) { missing in
            for member in members {
                if missing.isEmpty { return true }
                if let place = values.place(of: member, &meter) { missing.remove(place) }
                if meter.isOver { return false }
            }
            return missing.isEmpty
        }
    }

    private static func begins(_ members: [QueryValue], _ beginning: Bytes, _ meter: inout Meter) -> Bool {
        for member in members {
            if member.begins(with: beginning) { return true }
            if !meter.goesOn() { return false }
        }
        return false
    }

    private func hasTokens(all: Bool, _ record: RecordValues, _ meter: inout Meter) -> Bool {
        // There are few words and long texts: visit each word of the texts once, and stop as soon as the result is known.
        Missing.of(values.count) { missing in
            for slot in slots {
                record[slot].forEachToken { found in
                    if let place = values.place(ofText: found, &meter) { missing.remove(place) }
                    return !meter.isOver && !missing.isEmpty && (all || missing.isWhole)
                }
                if meter.isOver { return false }
                if missing.isEmpty || !all && !missing.isWhole { return true }
            }
            return false
        }
    }
}

extension QueryCondition.Test {
    /// Values and words of which some, all or none must be present.
    fileprivate var values: ValueSet {
        switch self {
        case .isAny(let values), .isNone(let values), .holdsAny(let values), .holdsAll(let values),
            .holdsNone(let values), .holdsNotAll(let values):
            ValueSet(distinct: values)
        case .hasTokens(let words, _): ValueSet(distinct: words.map { .bytes($0) })
        case .isBetween, .beginsWith, .beginsNotWith, .memberBeginsWith, .noMemberBeginsWith, .isNear, .isOpen:
            ValueSet()
        }
    }
}

/// Tracks which of some values were not found yet.
private struct Missing {
    private let isFound: UnsafeMutableBufferPointer<Bool>
    private var count: Int

    /// Nothing is found when `body` is called. Allocates memory only for very many values.
    static func of<Answer>(_ count: Int, _ body: (inout Missing) -> Answer) -> Answer {
        withUnsafeTemporaryAllocation(of: Bool.self, capacity: count) { isFound in
            isFound.initialize(repeating: false)
            var missing = Missing(isFound: isFound, count: count)
            return body(&missing)
        }
    }

    var isEmpty: Bool { count == 0 }
    var isWhole: Bool { count == isFound.count }

    mutating func remove(_ place: Int) {
        if !isFound[place] { count -= 1 }
        isFound[place] = true
    }
}

extension FieldValue {
    fileprivate var one: QueryValue? { if case .one(let value) = self { value } else { nil } }
    var members: [QueryValue]? { if case .list(let values) = self { values } else { nil } }
}

extension QueryValue {
    func begins(with beginning: Bytes) -> Bool {
        if case .bytes(let bytes) = self { bytes.starts(with: beginning) } else { false }
    }

    fileprivate func isBetween(_ lower: QueryCondition.Bound?, _ upper: QueryCondition.Bound?) -> Bool {
        if let lower {
            guard let order = compare(lower.value), order > 0 || order == 0 && lower.isIncluded else { return false }
        }
        if let upper {
            guard let order = compare(upper.value), order < 0 || order == 0 && upper.isIncluded else { return false }
        }
        return true
    }
}
