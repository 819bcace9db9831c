import Foundation

/// A relation between two values. A value of nil is a missing value.
struct ValueTest {
    var relation: PredicateComparison.Relation
    var options: PredicateOptions

    /// Whether the relation holds; nil if the values cannot be compared with this relation.
    func passes(_ left: PredicateConstant?, _ right: PredicateConstant?) -> Bool? {
        guard let left, let right else { return passesMissing(left, right) }
        switch relation {
        case .equal: return equal(left, right)
        case .notEqual: return equal(left, right).map { !$0 }
        case .less: return ordered(left, right) { $0 < 0 }
        case .lessOrEqual: return ordered(left, right) { $0 <= 0 }
        case .greater: return ordered(left, right) { $0 > 0 }
        case .greaterOrEqual: return ordered(left, right) { $0 >= 0 }
        case .between:
            guard case .list(let bounds) = right, bounds.count == 2 else { return nil }
            guard let low = ordered(left, bounds[0], { $0 >= 0 }), let high = ordered(left, bounds[1], { $0 <= 0 })
            else { return nil }
            return low && high
        case .isIn: return contains(right, left)
        case .contains: return contains(left, right)
        case .beginsWith: return texts(left, right) { $0.utf8.starts(with: $1.utf8) }
        case .endsWith: return texts(left, right) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
        case .like: return texts(left, right) { Wildcards.match($0, $1) }
        case .matches: return matches(left, right)
        }
    }

    /// A missing value equals only another missing value: `field == nil`.
    private func passesMissing(_ left: PredicateConstant?, _ right: PredicateConstant?) -> Bool? {
        switch relation {
        case .equal: left == nil && right == nil
        case .notEqual: left != nil || right != nil
        default: false
        }
    }

    private func equal(_ left: PredicateConstant, _ right: PredicateConstant) -> Bool? {
        if case .list(let left) = left, case .list(let right) = right {
            return left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) == true }
        }
        return folded(left).equals(folded(right))
    }

    private func ordered(_ left: PredicateConstant, _ right: PredicateConstant, _ test: (Int) -> Bool) -> Bool? {
        folded(left).compare(folded(right)).map(test)
    }

    /// Whether a list contains an element, or a string contains a substring.
    private func contains(_ whole: PredicateConstant, _ part: PredicateConstant) -> Bool? {
        if case .list(let elements) = whole {
            let results = elements.map { equal($0, part) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        }
        return texts(whole, part) { whole, part in part.isEmpty || whole.range(of: part, options: .literal) != nil }
    }

    private func texts(
        _ left: PredicateConstant, _ right: PredicateConstant, _ test: (String, String) -> Bool
    ) -> Bool? {
        guard case .string(let left) = folded(left), case .string(let right) = folded(right) else { return nil }
        return test(left, right)
    }

    private func matches(_ left: PredicateConstant, _ right: PredicateConstant) -> Bool? {
        guard case .string(let text) = folded(left), case .string(let pattern) = right,
            let expression = try? NSRegularExpression(
                pattern: pattern, options: options.contains(.caseInsensitive) ? .caseInsensitive : [])
        else { return nil }
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.matches(in: text, options: .anchored, range: range).contains { $0.range == range }
    }

    /// The value without the differences that the options ignore: case and diacritics.
    private func folded(_ value: PredicateConstant) -> PredicateConstant {
        guard case .string(let text) = value else { return value }
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        return folding.isEmpty ? value : .string(text.folding(options: folding, locale: nil))
    }
}
