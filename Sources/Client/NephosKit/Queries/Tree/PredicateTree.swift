/// A predicate as a value.
///
/// A tree can express more than CloudKit can send to a server: `OR`, `LIKE`, other quantifiers. Such trees can still be
/// evaluated locally. ``QueryFilters`` refuses them when an operation sends them, at the same time as Apple's framework
/// does.
indirect enum PredicateTree: Sendable, Hashable {
    /// `TRUEPREDICATE`.
    case always
    /// `FALSEPREDICATE`.
    case never
    case comparison(PredicateComparison)
    case distance(PredicateDistance)
    case search(PredicateSearch)
    case not(PredicateTree)
    /// At least two parts, as in ``or(_:)``. ``all(of:)`` accepts any number of parts.
    case and([PredicateTree])
    case or([PredicateTree])
    /// A predicate that neither a server nor the local evaluation supports, with the reason.
    case unsupported(String)
    /// A format that is not a valid predicate, with the reason. Apple's framework raises an exception for it.
    case malformed(String)

    /// Returns the tree that matches if all of the parts match.
    static func all(of parts: [PredicateTree]) -> PredicateTree {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .always : .and(parts)
    }

    /// Returns the tree that matches if at least one of the parts matches.
    static func any(of parts: [PredicateTree]) -> PredicateTree {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .never : .or(parts)
    }

    /// The maximum depth of a tree that is created from an `NSCompoundPredicate`. The parser can still read the text of
    /// such a tree.
    static let depthMax = 45
}

/// `ANY colors == 'red'`: a quantifier, and a relation between two operands.
struct PredicateComparison: Sendable, Hashable {
    /// How many elements of the list on the left must match.
    enum Quantifier: String, Sendable, CaseIterable {
        /// The left side is not a list, or is compared as a whole.
        case one = ""
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
    }

    /// A relation between two operands. The raw value is its spelling in a format.
    enum Relation: String, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        case like = "LIKE"
        case matches = "MATCHES"
        case isIn = "IN"
        case between = "BETWEEN"

        /// The relation that holds exactly if this one does not, for two values that can be ordered.
        var opposite: Relation? {
            switch self {
            case .equal: .notEqual
            case .notEqual: .equal
            case .less: .greaterOrEqual
            case .lessOrEqual: .greater
            case .greater: .lessOrEqual
            case .greaterOrEqual: .less
            case .beginsWith, .endsWith, .contains, .like, .matches, .isIn, .between: nil
            }
        }

        /// The equivalent relation after the two sides are exchanged.
        var flipped: Relation? {
            switch self {
            case .equal, .notEqual: self
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            case .beginsWith, .endsWith, .contains, .like, .matches, .isIn, .between: nil
            }
        }
    }

    var quantifier = Quantifier.one
    var left: PredicateOperand
    var relation: Relation
    var options: PredicateOptions = []
    var right: PredicateOperand
}

/// The options after a relation, written as letters: `==[cd]`.
struct PredicateOptions: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let caseInsensitive = PredicateOptions(rawValue: 1)
    static let diacriticInsensitive = PredicateOptions(rawValue: 2)
    static let localeSensitive = PredicateOptions(rawValue: 4)
    static let normalized = PredicateOptions(rawValue: 8)

    static let letters: [(Character, PredicateOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("l", .localeSensitive), ("n", .normalized),
    ]
}

/// One side of a comparison.
enum PredicateOperand: Sendable, Hashable {
    /// A field by its name, or a key path: names separated by periods.
    case field(String)
    /// The record itself, `self`.
    case itself
    case constant(PredicateConstant)
    /// An expression that is not supported, with the reason.
    case unsupported(String)
}

/// `distanceToLocation:fromLocation:(field, place) < metres`.
struct PredicateDistance: Sendable, Hashable {
    var field: String
    var place: PredicatePlace
    /// One of the four relations that compare by order.
    var relation: PredicateComparison.Relation
    var metres: Double
}

/// A search for the words of a text, such as `self CONTAINS 'two words'`.
struct PredicateSearch: Sendable, Hashable {
    /// The field to search; nil for all searchable fields of a record together.
    var field: String?
    var text: String
    /// Whether all of the words must occur, rather than at least one.
    var wantsAll = false
}
