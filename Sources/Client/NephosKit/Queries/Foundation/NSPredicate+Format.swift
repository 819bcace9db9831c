public import Foundation

extension NSPredicate {
    /// Creates a predicate from a format, as on Apple's platforms:
    /// `NSPredicate(format: "title BEGINSWITH %@", prefix)`.
    ///
    /// The format can contain everything that CloudKit supports in predicates. Other parts of the language, such as
    /// `OR`, `LIKE[c]` or `field == nil`, are accepted too and can be evaluated locally, but a query that uses them
    /// fails with `CKError.invalidArguments`, as on Apple's platforms.
    ///
    /// An invalid format (a syntax error, or too few arguments) raises an exception on Apple's platforms. Here the
    /// result is a predicate that no record matches. A query with it fails with `CKError.invalidArguments` and a
    /// message that describes the mistake.
    ///
    /// The `predicateFormat` of the predicate is not useful: Foundation returns `BLOCKPREDICATE`.
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
        self.init(tree: PredicateParser.tree(predicateFormat, args))
    }

    /// Creates a predicate from a format with its arguments in an array. See ``init(format:_:)``.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(tree: PredicateParser.tree(predicateFormat, arguments ?? []))
    }
}

/// Obtains the tree of a predicate that this library created: when the predicate is evaluated with a probe, its block
/// stores the tree in the probe.
private final class PredicateProbe {
    var tree: PredicateTree?
}

extension NSPredicate {
    // An extension cannot add stored properties, and an initializer cannot create an instance of a subclass. Therefore
    // the block captures the tree, and hands it out when it is evaluated with a probe, whose class is private to this
    // file.
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

    /// The predicate as a tree, however the predicate was created.
    ///
    /// A block predicate of the program itself is evaluated with a probe, too, but provides no tree. If its block
    /// force-casts the object that it receives (`as!`), the program crashes; Apple's CloudKit raises an exception for
    /// any block predicate.
    ///
    /// Do not use this property on a copy of an `NSCompoundPredicate`: nothing matches the copies that Foundation
    /// creates, and they cannot be recognized.
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
