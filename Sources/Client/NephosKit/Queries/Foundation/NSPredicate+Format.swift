public import Foundation

extension NSPredicate {
    /// Makes a predicate from a format, as on Apple's platforms: `NSPredicate(format: "title BEGINSWITH %@", prefix)`.
    ///
    /// The language is that of the predicates that CloudKit takes. More of it is read, like `OR`, `LIKE[c]` or
    /// `field == nil`, and evaluated locally; a query with it fails with `CKError.invalidArguments`, as Apple's does.
    ///
    /// A format that is no predicate (a syntax error, too few arguments) raises an exception on Apple's platforms. Here it
    /// makes a predicate that no record passes, and a query with it fails with `CKError.invalidArguments` and a message
    /// that says what is wrong.
    ///
    /// `predicateFormat` of such predicates is of no use: Foundation prints `BLOCKPREDICATE`.
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
        self.init(tree: PredicateParser.tree(predicateFormat, args))
    }

    /// The same with arguments in an array: ``init(format:_:)``.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(tree: PredicateParser.tree(predicateFormat, arguments ?? []))
    }
}

/// Asks a predicate of ours for its tree, by being what it is evaluated with.
private final class PredicateProbe {
    var tree: PredicateTree?
}

extension NSPredicate {
    // An extension can store nothing, and an initializer cannot make a subclass. But a block can keep a tree, and hand
    // it over when it is asked by the one object that nobody else has.
    convenience init(tree: PredicateTree) {
        self.init(block: { object, _ in
            if let probe = object as? PredicateProbe {
                probe.tree = tree
                return true
            }
            guard let subject = object as? any PredicateSubject else { return false }
            return tree.evaluate(with: subject)
        })
    }

    /// What the predicate says, whoever made it.
    ///
    /// A block of the program itself is asked, too, and says nothing; one that insists on the class of what it is given
    /// (`as!`) ends the program then, where Apple's CloudKit raises an exception for any block.
    ///
    /// Never ask a copy of an `NSCompoundPredicate`: Foundation makes one that passes nothing, with no sign of it.
    var tree: PredicateTree { tree(depth: 0) }

    private func tree(depth: Int) -> PredicateTree {
        guard depth < PredicateTree.depthMax else { return .malformed("a predicate is nested too deeply") }
        if let compound = self as? NSCompoundPredicate {
            let parts = compound.subpredicates.map { $0.tree(depth: depth + 1) }
            return switch compound.compoundPredicateType {
            case .and: .all(of: parts)
            case .or: .any(of: parts)
            case .not: .not(.all(of: parts))
            @unknown default: .unsupported("this kind of NSCompoundPredicate is not supported")
            }
        }
        if isEqual(NSPredicate(value: true)) { return .always }
        if isEqual(NSPredicate(value: false)) { return .never }
        let probe = PredicateProbe()
        _ = evaluate(with: probe)
        return probe.tree ?? .unsupported("CloudKit does not support block predicates: use NSPredicate(format:)")
    }
}
