import Foundation

extension NSPredicate {
    /// Whether both are the same object, or are evaluated alike as far as CloudKit knows: their trees are equal.
    /// Foundation compares predicates of formats by their blocks, which are never equal.
    func isSame(as other: NSPredicate) -> Bool {
        if self === other { return true }
        let tree = tree
        return tree.isKnown && tree == other.tree
    }
}

extension PredicateTree {
    /// Whether the tree says everything about its predicate. Of what is not supported it has only a reason, which
    /// different predicates can share.
    fileprivate var isKnown: Bool {
        switch self {
        case .always, .never, .distance, .search: true
        case .comparison(let comparison): comparison.left.isKnown && comparison.right.isKnown
        case .not(let tree): tree.isKnown
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isKnown)
        case .unsupported, .malformed: false
        }
    }
}

extension PredicateOperand {
    fileprivate var isKnown: Bool { if case .unsupported = self { false } else { true } }
}
