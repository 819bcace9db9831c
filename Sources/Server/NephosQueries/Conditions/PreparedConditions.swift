public import NephosStorage

/// Conditions prepared for many records: values are converted to the kinds of their fields, and conditions on the same field
/// combined.
public struct PreparedConditions: Sendable {
    private(set) var list: [PreparedCondition] = []
    /// No record can match them all.
    public private(set) var isImpossible = false
    private var selection: FieldSelection

    public init(_ conditions: [QueryCondition]) {
        var selection = FieldSelection()
        self.init(conditions, &selection)
        self.selection = selection
    }

    /// - Parameter selection: Gets the fields of the conditions; records must be read with it.
    init(_ conditions: [QueryCondition], _ selection: inout FieldSelection) {
        self.selection = FieldSelection()
        for condition in conditions { add(condition, &selection) }
        joinRanges()
        narrowChoices()
    }

    /// Whether a record matches all of them.
    public func matches(_ record: RecordRow) -> Bool {
        var meter = Meter()
        return !isImpossible && list.areMet(by: RecordValues(record, selection), &meter)
    }

    private mutating func add(_ condition: QueryCondition, _ selection: inout FieldSelection) {
        switch NormalTest(condition.test, condition.fields.first?.kind ?? .none) {
        case .always: break
        case .never: isImpossible = true
        case .test(let test):
            guard !condition.fields.isEmpty else { return isImpossible = true }
            list.append(
                PreparedCondition(
                    fields: condition.fields, slots: condition.fields.map { selection.slot(of: $0) }, test: test))
        }
    }

    /// Joins the ranges of each field: two filters are often the two ends of one.
    private mutating func joinRanges() {
        var index = 0
        while index < list.count {
            guard case .isBetween(let lower, let upper) = list[index].test,
                let earlier = list[..<index].firstIndex(where: { $0.isRange(of: list[index].field) }),
                case .isBetween(let otherLower, let otherUpper) = list[earlier].test
            else {
                index += 1
                continue
            }
            list.remove(at: index)
            switch NormalTest.intersection((otherLower, otherUpper), (lower, upper), list[earlier].field.kind) {
            case .test(let test): list[earlier].test = test
            case .always, .never: isImpossible = true
            }
        }
    }

    /// Filters the listed values of a field by the field's other conditions, which are then dropped.
    private mutating func narrowChoices() {
        var index = 0
        while index < list.count {
            guard case .isAny(var values) = list[index].test else {
                index += 1
                continue
            }
            let field = list[index].field
            let others = list.indices.filter { $0 != index && list[$0].field == field && list[$0].looksAtOneValue }
            var meter = Meter()
            values.removeAll { value in others.contains { !list[$0].matches(.one(value), &meter) } }
            list[index].test = .isAny(values)
            if values.isEmpty { isImpossible = true }
            for other in others.reversed() { list.remove(at: other) }
            index = (list.firstIndex { $0.field == field && $0.looksAtOneValue } ?? index) + 1
        }
    }
}

extension [PreparedCondition] {
    /// Whether a record matches all of them; undefined if the meter is over.
    func areMet(by values: RecordValues, _ meter: inout Meter) -> Bool {
        // By index, because iteration would copy an element for each record.
        for index in indices where !self[index].matches(values, &meter) { return false }
        return true
    }
}

extension PreparedCondition {
    /// Whether the test visits all members or words of a record's values.
    var looksAtMembers: Bool {
        switch test {
        case .holdsAny, .holdsAll, .holdsNone, .holdsNotAll, .memberBeginsWith, .noMemberBeginsWith, .hasTokens: true
        case .isAny, .isNone, .isBetween, .beginsWith, .beginsNotWith, .isNear, .isOpen: false
        }
    }

    fileprivate func isRange(of field: RecordField) -> Bool {
        if case .isBetween = test { self.field == field } else { false }
    }

    /// Whether the test is about the value of a field that is not a list, a searched text or a location.
    fileprivate var looksAtOneValue: Bool {
        switch test {
        case .isAny, .isNone, .isBetween, .beginsWith, .beginsNotWith: true
        default: false
        }
    }
}

extension QueryCondition {
    /// Whether a record matches the condition. For many records use ``PreparedConditions``.
    public func matches(_ record: RecordRow) -> Bool { PreparedConditions([self]).matches(record) }
}
