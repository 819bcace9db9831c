import NephosTesting

@testable import NephosKit

/// Trees of every kind, including meaningless ones, generated from a seed.
struct RandomTrees {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    mutating func tree(depth: Int) -> PredicateTree {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &generator) {
        case 0: return pick([.always, .never])
        case 1: return .unsupported(text())
        case 2: return .malformed(text())
        case 3: return distance()
        case 4:
            return .search(PredicateSearch(field: pick([nil, field()]), text: text(), wantsAll: pick([true, false])))
        case 9: return .not(tree(depth: depth - 1))
        case 10: return .and((0..<pick([2, 3])).map { _ in tree(depth: depth - 1) })
        case 11: return .or((0..<pick([2, 3])).map { _ in tree(depth: depth - 1) })
        default: return comparison()
        }
    }

    private mutating func comparison() -> PredicateTree {
        let comparison = PredicateComparison(
            quantifier: pick(PredicateComparison.Quantifier.allCases), left: operand(),
            relation: pick(PredicateComparison.Relation.allCases),
            options: PredicateOptions(rawValue: pick([0, 0, UInt8.random(in: 0...15, using: &generator)])),
            right: operand())
        // The only text with another meaning: a search.
        if comparison.left == .itself, comparison.relation == .contains { return .never }
        return .comparison(comparison)
    }

    private mutating func distance() -> PredicateTree {
        let place = PredicatePlace(
            latitude: Double.random(in: -90...90, using: &generator),
            longitude: Double.random(in: -180...180, using: &generator))
        guard let place else { return .never }
        return .distance(
            PredicateDistance(
                field: field(), place: place, relation: pick([.less, .lessOrEqual, .greater, .greaterOrEqual]),
                metres: number()))
    }

    private mutating func operand() -> PredicateOperand {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: .itself
        case 1: .unsupported(text())
        case 2..<5: .field(field())
        default: .constant(constant(depth: 2))
        }
    }

    mutating func field() -> String {
        pick([
            "a", "b2", "_c", "creationDate", "___recordID", "a.b", "a.@count", "in", "Self.x", "and", "size", "é",
            "a b", "",
            "9a", "a..b", "x'y", "allTokens2", "TRUE", "now", "f:",
        ])
    }

    mutating func text() -> String {
        let alphabet = [
            "a", "B", "é", "e\u{301}", " ", "'", "\"", "\\", "\n", "\r\n", "%@", "%", "n", "\u{0}", "👩‍👧", "$x", "(", "}",
        ]
        return (0..<Int.random(in: 0...6, using: &generator)).map { _ in pick(alphabet) }.joined()
    }

    private mutating func number() -> Double {
        pick([
            0, 1, -1.5, 1e300, -1e-300, 0.1, Double.leastNonzeroMagnitude, .random(in: -1e6...1e6, using: &generator),
        ])
    }

    mutating func constant(depth: Int) -> PredicateConstant {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 9), using: &generator) {
        case 0: .int64(pick([0, 1, -1, .min, .max, .random(in: .min ... .max, using: &generator)]))
        case 1: .double(number())
        case 2: .timestamp(pick([0, .min, .max, .random(in: -1_000_000...2_000_000_000_000, using: &generator)]))
        case 3: .bytes((0..<pick([0, 1, 5])).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 4: .reference(PredicateReference(recordName: text(), zoneName: text(), ownerName: text()))
        case 5: .place(Double.random(in: -90...90, using: &generator), 180)
        case 6: .now
        case 7: .null
        case 9: .list((0..<pick([0, 1, 3])).map { _ in constant(depth: depth - 1) })
        default: .string(text())
        }
    }
}
