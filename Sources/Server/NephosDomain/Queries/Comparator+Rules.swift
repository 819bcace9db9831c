import CloudKitWire
import NephosStorage

/// What comparators apply to and what they require (docs/protocol.md, Q10).
extension Comparator {
    /// Comparators that differ only in their direction or sign.
    enum Family: Hashable {
        /// The value equals this one, or one of these.
        case equality
        case order
        case prefix
        /// A list contains this element, any or all of these elements.
        case element
        case elementPrefix
        case words
        case distance
    }

    var family: Family {
        switch self {
        case .equals, .notEquals, .in, .notIn: .equality
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals: .order
        case .beginsWith, .notBeginsWith: .prefix
        case .listContains, .notListContains, .listContainsAny, .notListContainsAny, .listContainsAll,
            .notListContainsAll, .containsAny:
            .element
        case .listMemberBeginsWith, .notListMemberBeginsWith: .elementPrefix
        case .containsAllTokens, .containsAnyTokens: .words
        case .near: .distance
        }
    }

    /// Whether the value of the filter is a list.
    var takesList: Bool {
        switch self {
        case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll, .containsAny:
            true
        case .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .near,
            .containsAllTokens, .containsAnyTokens, .listContains, .notListContains, .beginsWith, .notBeginsWith,
            .listMemberBeginsWith, .notListMemberBeginsWith:
            false
        }
    }

    /// - Throws: ``Refusal/badRequest(_:)`` if fields of this type cannot be compared like this, or the schema does not permit
    ///   it.
    func check(_ field: QueriedField) throws(Refusal) {
        guard isFor(field) else {
            throw .badRequest(
                "Field has a value type of \(field.tag) and cannot be queried using filter type \(rawValue)"
                    + " (field '\(field.spelling.excerpt)')")
        }
        switch family {
        case .equality, .prefix, .element, .elementPrefix, .distance: try field.require(.queryable)
        case .order: try field.require(.queryable, or: .sortable)
        case .words: try field.require(.searchable)
        }
    }

    private func isFor(_ field: QueriedField) -> Bool {
        guard !field.isEncrypted else { return false }
        if field.field == .parent { return self == .equals || self == .in }
        switch (family, field.type) {
        case (.equality, .string), (.equality, .int64), (.equality, .double), (.equality, .timestamp),
            (.equality, .bytes), (.equality, .reference):
            return true
        case (.order, .string), (.order, .int64), (.order, .double), (.order, .timestamp), (.order, .bytes):
            return true
        case (.element, .stringList), (.element, .int64List), (.element, .doubleList), (.element, .timestampList),
            (.element, .bytesList), (.element, .referenceList):
            return true
        case (.prefix, .string), (.elementPrefix, .stringList), (.words, .string), (.words, .stringList),
            (.distance, .location):
            return true
        default:
            return false
        }
    }
}
