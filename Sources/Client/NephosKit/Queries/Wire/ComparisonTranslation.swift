import CloudKitWire

/// Translates a comparison into filters with the same meaning.
struct ComparisonTranslation {
    let comparison: PredicateComparison
    let isDenied: Bool
    let now: PredicateConstant

    /// Returns the filters: two for `BETWEEN`, one for any other comparison.
    func filters() throws(UnsupportedPredicate) -> [WireFilter] {
        guard comparison.options.isEmpty else {
            throw UnsupportedPredicate("options in square brackets are not supported: comparisons are exact")
        }
        switch (comparison.left, comparison.right) {
        case (.unsupported(let reason), _), (_, .unsupported(let reason)): throw UnsupportedPredicate(reason)
        case (.itself, _), (_, .itself):
            throw UnsupportedPredicate("self can only be searched: self CONTAINS 'words'")
        case (.field(let field), .constant(let value)):
            return try filters(try Self.checked(field), try comparable(value))
        case (.constant(let value), .field(let field)):
            return [try filter(try comparable(value), in: try Self.checked(field))]
        case (.field, .field), (.constant, .constant):
            throw UnsupportedPredicate("a comparison needs a field on the left and a constant on the right")
        }
    }

    /// Returns the name of a field after checking it.
    ///
    /// - Throws: ``UnsupportedPredicate`` for a key path, and for a text that is not the name of a field.
    static func checked(_ field: String) throws(UnsupportedPredicate) -> String {
        // Only the names of the fields of shares contain a period.
        guard !field.contains(".") || field.hasPrefix("cloudkit."), !field.contains("@") else {
            throw UnsupportedPredicate("the key path '\(field)' leaves the record")
        }
        guard !field.isEmpty, field != PredicateSearch.everyField else {
            throw UnsupportedPredicate("'\(field)' is not a field")
        }
        return field
    }

    private func comparable(_ value: PredicateConstant) throws(UnsupportedPredicate) -> PredicateConstant {
        switch value {
        case .null: throw UnsupportedPredicate("a field cannot be compared with nil")
        case .now: return now
        case .list(let elements):
            var list: [PredicateConstant] = []
            for element in elements {
                if case .list = element { throw UnsupportedPredicate("a list cannot be inside a list") }
                list.append(try comparable(element))
            }
            return .list(list)
        default: return value
        }
    }

    // MARK: A field on the left

    private func filters(
        _ field: String, _ value: PredicateConstant
    ) throws(UnsupportedPredicate) -> [WireFilter] {
        if comparison.quantifier == .one, comparison.relation == .between {
            guard !isDenied else { throw UnsupportedPredicate("NOT cannot precede BETWEEN") }
            guard case .list(let bounds) = value, bounds.count == 2 else {
                throw UnsupportedPredicate("BETWEEN takes a list of two values")
            }
            return [
                WireFilter(.greaterThanOrEquals, field, bounds[0]), WireFilter(.lessThanOrEquals, field, bounds[1]),
            ]
        }
        guard let comparator = value.isList ? ofList : ofOne else {
            throw UnsupportedPredicate("\(description) is not supported")
        }
        if value.isList { try checkElements(value, field) }
        if comparison.relation == .beginsWith, !value.isString {
            throw UnsupportedPredicate("BEGINSWITH takes a string")
        }
        return [WireFilter(comparator, field, value)]
    }

    /// The comparator for a field on the left and a single value on the right; nil if there is none.
    private var ofOne: CloudKitWire.Comparator? {
        switch (comparison.quantifier, comparison.relation) {
        case (.one, let relation):
            switch (isDenied ? relation.opposite ?? relation : relation, isDenied) {
            case (.equal, _): .equals
            case (.notEqual, _): .notEquals
            case (.less, _): .lessThan
            case (.lessOrEqual, _): .lessThanOrEquals
            case (.greater, _): .greaterThan
            case (.greaterOrEqual, _): .greaterThanOrEquals
            case (.beginsWith, false): .beginsWith
            case (.beginsWith, true): .notBeginsWith
            case (.contains, false): .listContains
            case (.contains, true): .notListContains
            default: nil
            }
        case (.any, .equal): isDenied ? .notListContains : .listContains
        case (.any, .beginsWith): isDenied ? .notListMemberBeginsWith : .listMemberBeginsWith
        default: nil
        }
    }

    /// The comparator for a field on the left and a list on the right; nil if there is none.
    private var ofList: CloudKitWire.Comparator? {
        switch (comparison.quantifier, comparison.relation) {
        case (.one, .isIn): isDenied ? .notIn : .in
        case (.any, .isIn): isDenied ? .notListContainsAny : .listContainsAny
        default: nil
        }
    }

    // MARK: A field on the right

    private func filter(
        _ value: PredicateConstant, in field: String
    ) throws(UnsupportedPredicate) -> WireFilter {
        let comparator: CloudKitWire.Comparator? =
            switch (comparison.quantifier, comparison.relation, value.isList) {
            case (.one, .isIn, false): isDenied ? .notListContains : .listContains
            case (.any, .equal, true): isDenied ? .notIn : .in
            case (.any, .isIn, true): isDenied ? .notListContainsAny : .listContainsAny
            // Apple's framework cannot express this one; a filter that was read from a server has this form.
            case (.all, .isIn, true): isDenied ? .notListContainsAll : .listContainsAll
            default: nil
            }
        guard let comparator else {
            throw UnsupportedPredicate("\(description) is not supported with the field on its right")
        }
        if value.isList { try checkElements(value, field) }
        return WireFilter(comparator, field, value)
    }

    private func checkElements(_ list: PredicateConstant, _ field: String) throws(UnsupportedPredicate) {
        guard list.forField(field).elementsAreOfOneKind else {
            throw UnsupportedPredicate("the values of a list must all have one type")
        }
    }

    private var description: String {
        let words = [isDenied ? "NOT" : "", comparison.quantifier.rawValue, comparison.relation.rawValue]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension PredicateConstant {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
    fileprivate var isString: Bool { if case .string = self { true } else { false } }
}
