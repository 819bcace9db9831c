import CloudKitWire

extension PredicateTree {
    /// Reads `filterBy`, for example of a subscription, as the equivalent predicate. A filter that predicates cannot
    /// express becomes ``PredicateTree/unsupported(_:)``.
    ///
    /// - Throws: `WireError` if the value is neither a filter nor a list of filters.
    init(filterBy reader: inout JSONReader) throws(WireError) {
        var filters: [PredicateTree] = []
        if try reader.kind == .array {
            try reader.readItems { reader throws(WireError) in
                filters.append(try FilterReading(&reader).tree)
            }
        } else {
            filters = [try FilterReading(&reader).tree]
        }
        self = .all(of: filters)
    }
}

/// The members of one filter.
private struct FilterReading {
    private var comparator = ""
    private var field: String?
    private var value: PredicateConstant?
    private var metres: Double?

    init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "comparator": comparator = try reader.readName().text
            case "fieldName", "systemFieldName": field = try reader.readName().text
            case "fieldValue": value = try PredicateConstant(fieldValue: &reader)
            case "distance": metres = try reader.readDouble()
            default: break
            }
        }
    }

    var tree: PredicateTree {
        guard let comparator = CloudKitWire.Comparator(rawValue: comparator) else {
            return .unsupported("unknown comparator \(comparator)")
        }
        guard let value else { return .unsupported("a filter compares with a value of an unknown type") }
        if case .string(let text) = value, comparator == .containsAllTokens || comparator == .containsAnyTokens {
            return .search(PredicateSearch(field: field, text: text, wantsAll: comparator == .containsAllTokens))
        }
        guard let field else { return .unsupported("a filter has no field") }
        return tree(comparator, field, value.forField(field))
    }

    private func tree(
        _ comparator: CloudKitWire.Comparator, _ field: String, _ value: PredicateConstant
    ) -> PredicateTree {
        func compare(
            _ relation: PredicateComparison.Relation, _ quantifier: PredicateComparison.Quantifier = .one
        ) -> PredicateTree {
            .comparison(
                PredicateComparison(
                    quantifier: quantifier, left: .field(field), relation: relation, right: .constant(value)))
        }
        let holdsAll = PredicateTree.comparison(
            PredicateComparison(quantifier: .all, left: .constant(value), relation: .isIn, right: .field(field)))
        return switch comparator {
        case .equals: compare(.equal)
        case .notEquals: compare(.notEqual)
        case .lessThan: compare(.less)
        case .lessThanOrEquals: compare(.lessOrEqual)
        case .greaterThan: compare(.greater)
        case .greaterThanOrEquals: compare(.greaterOrEqual)
        case .in: compare(.isIn)
        case .notIn: .not(compare(.isIn))
        case .listContains: compare(.contains)
        case .notListContains: .not(compare(.contains))
        case .listContainsAny, .containsAny: compare(.isIn, .any)
        case .notListContainsAny: .not(compare(.isIn, .any))
        case .listContainsAll: holdsAll
        case .notListContainsAll: .not(holdsAll)
        case .beginsWith: compare(.beginsWith)
        case .notBeginsWith: .not(compare(.beginsWith))
        case .listMemberBeginsWith: compare(.beginsWith, .any)
        case .notListMemberBeginsWith: .not(compare(.beginsWith, .any))
        case .near: near(field, value)
        case .containsAllTokens, .containsAnyTokens: .unsupported("a search needs a string")
        }
    }

    private func near(_ field: String, _ value: PredicateConstant) -> PredicateTree {
        guard case .location(let place) = value, let metres, metres.isFinite else {
            return .unsupported("NEAR takes a location and a distance")
        }
        return .distance(PredicateDistance(field: field, place: place, relation: .lessOrEqual, metres: metres))
    }
}
