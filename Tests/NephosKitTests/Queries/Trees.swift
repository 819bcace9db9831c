import Foundation

@testable import NephosKit

/// Shorthand for trees.
extension PredicateTree {
    static func compare(
        _ field: String, _ relation: PredicateComparison.Relation, _ value: PredicateConstant,
        _ quantifier: PredicateComparison.Quantifier = .one, options: PredicateOptions = []
    ) -> PredicateTree {
        .comparison(
            PredicateComparison(
                quantifier: quantifier, left: .field(field), relation: relation, options: options,
                right: .constant(value)))
    }

    static func value(
        _ value: PredicateConstant, _ relation: PredicateComparison.Relation, in field: String,
        _ quantifier: PredicateComparison.Quantifier = .one
    ) -> PredicateTree {
        .comparison(
            PredicateComparison(
                quantifier: quantifier, left: .constant(value), relation: relation, right: .field(field)))
    }

    var isMalformed: Bool { if case .malformed = self { true } else { false } }
}

extension PredicateConstant {
    static func list(_ texts: String...) -> PredicateConstant { .list(texts.map { .string($0) }) }

    static func place(_ latitude: Double, _ longitude: Double) -> PredicateConstant {
        PredicatePlace(latitude: latitude, longitude: longitude).map { .location($0) } ?? .null
    }
}

func tree(_ format: String, _ arguments: Any...) -> PredicateTree { PredicateParser.tree(format, arguments) }
