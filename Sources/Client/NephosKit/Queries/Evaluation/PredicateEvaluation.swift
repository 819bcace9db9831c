import Foundation

extension PredicateTree {
    /// Whether the subject matches the predicate, by the rules of a Nephos server (docs/protocol.md, "Filters"): a
    /// missing value matches only negated comparisons and `== nil`; strings are compared by their bytes, numbers
    /// exactly, dates by milliseconds, and references by record names. A predicate that cannot be decided matches
    /// nothing, negated or not.
    func evaluate(with subject: any PredicateSubject, now: Date = Date()) -> Bool {
        let evaluation = PredicateEvaluation(subject: subject, now: PredicateConstant(now: now))
        return evaluation.holds(self) ?? false
    }
}

extension PredicateConstant {
    /// The constant for the current time. A time that a timestamp cannot represent becomes the latest timestamp.
    init(now: Date) {
        self = PredicateConstant(secondsSince1970: now.timeIntervalSince1970) ?? .timestamp(.max)
    }
}

/// The evaluation of a predicate with one subject. A result of nil means that the predicate cannot be decided.
struct PredicateEvaluation {
    let subject: any PredicateSubject
    let now: PredicateConstant

    /// Whether the subject matches the tree.
    ///
    /// - Parameter isDenied: Whether the predicate is negated. The negation is not always the exact complement:
    ///   `NOT (a < 5)` is evaluated as `a >= 5`, and a missing value matches neither.
    func holds(_ tree: PredicateTree, isDenied: Bool = false) -> Bool? {
        switch tree {
        case .not(let tree): return holds(tree, isDenied: !isDenied)
        case .comparison(var comparison):
            if isDenied, comparison.quantifier == .one, comparison.options.isEmpty,
                let opposite = comparison.relation.opposite
            {
                comparison.relation = opposite
                return holds(comparison)
            }
            return holds(comparison).map { $0 != isDenied }
        case .always: return !isDenied
        case .never: return isDenied
        case .distance(let distance): return holds(distance).map { $0 != isDenied }
        case .search(let search): return holds(search).map { $0 != isDenied }
        case .and(let parts): return all(parts).map { $0 != isDenied }
        case .or(let parts): return any(parts).map { $0 != isDenied }
        case .unsupported, .malformed: return nil
        }
    }

    private func all(_ parts: [PredicateTree]) -> Bool? {
        let results = parts.map { holds($0) }
        return results.contains(false) ? false : results.contains(nil) ? nil : true
    }

    private func any(_ parts: [PredicateTree]) -> Bool? {
        let results = parts.map { holds($0) }
        return results.contains(true) ? true : results.contains(nil) ? nil : false
    }

    // MARK: Comparisons

    private func holds(_ comparison: PredicateComparison) -> Bool? {
        guard case .known(let left) = value(of: comparison.left, beside: comparison.right),
            case .known(let right) = value(of: comparison.right, beside: comparison.left)
        else { return nil }
        let test = ValueTest(relation: comparison.relation, options: comparison.options)
        guard comparison.quantifier != .one else { return test.passes(left, right) }
        guard let left else { return false }
        guard case .list(let elements) = left else { return nil }
        let results = elements.map { test.passes($0, right) }
        if results.contains(nil) { return nil }
        switch comparison.quantifier {
        case .one, .any: return results.contains(true)
        case .all: return !results.contains(false)
        case .none: return !results.contains(true)
        }
    }

    private enum Found {
        /// A known value; nil if the value is missing.
        case known(PredicateConstant?)
        case unknown
    }

    private func value(of operand: PredicateOperand, beside other: PredicateOperand) -> Found {
        switch operand {
        case .field(let name): return found(name)
        case .constant(let constant):
            guard case .field(let name) = other else { return .known(resolved(constant)) }
            return .known(resolved(constant.forField(name)))
        case .itself, .unsupported: return .unknown
        }
    }

    private func found(_ field: String) -> Found {
        guard let value = subject.value(ofField: SystemKey.wireName(of: field)) else { return .known(nil) }
        guard case .constant(let constant) = PredicateOperand(value: value) else { return .unknown }
        return .known(constant == .null ? nil : constant.forField(field))
    }

    private func resolved(_ constant: PredicateConstant) -> PredicateConstant? {
        switch constant {
        case .null: nil
        case .now: now
        case .list(let elements): .list(elements.map { $0 == .now ? now : $0 })
        default: constant
        }
    }

    // MARK: Distances and searches

    private func holds(_ distance: PredicateDistance) -> Bool? {
        guard case .known(let value) = found(distance.field) else { return nil }
        guard let value else { return false }
        guard case .location(let place) = value else { return nil }
        let metres = place.metres(from: distance.place)
        switch distance.relation {
        // Servers have one filter for distances, and its circle includes the edge.
        case .less, .lessOrEqual: return metres <= distance.metres
        case .greater, .greaterOrEqual: return metres > distance.metres
        default: return nil
        }
    }

    private func holds(_ search: PredicateSearch) -> Bool? {
        guard case .known(let value) = found(search.field ?? PredicateSearch.everyField) else { return nil }
        let texts: [PredicateConstant]
        switch value {
        case nil: texts = []
        case .string: texts = [value].compactMap { $0 }
        case .list(let elements): texts = elements
        default: return nil
        }
        var words: Set<String> = []
        for case .string(let text) in texts { words.formUnion(SearchWords.words(in: text)) }
        let wanted = SearchWords.words(in: search.text)
        guard !wanted.isEmpty else { return false }
        return search.wantsAll ? words.isSuperset(of: wanted) : !words.isDisjoint(with: wanted)
    }
}
