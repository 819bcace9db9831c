/// What a predicate says, as a value.
///
/// It holds more than CloudKit can ask a server: `OR`, `LIKE`, other quantifiers. Such trees are evaluated locally all the
/// same; ``QueryFilters`` refuses them when an operation sends them, which is when Apple's framework does.
indirect enum PredicateTree: Sendable, Equatable {
    /// `TRUEPREDICATE`.
    case always
    /// `FALSEPREDICATE`.
    case never
    case comparison(PredicateComparison)
    case distance(PredicateDistance)
    case search(PredicateSearch)
    case not(PredicateTree)
    /// At least two, like those of ``or(_:)``; ``all(of:)`` makes them of any number.
    case and([PredicateTree])
    case or([PredicateTree])
    /// A predicate that neither a server nor a local evaluation understands, and why.
    case unsupported(String)
    /// What stood in a format that is no predicate, and why not. Apple's framework raises an exception there.
    case malformed(String)

    /// Holds where all of the parts hold.
    static func all(of parts: [PredicateTree]) -> PredicateTree {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .always : .and(parts)
    }

    /// Holds where one of the parts holds.
    static func any(of parts: [PredicateTree]) -> PredicateTree {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .never : .or(parts)
    }

    /// Deepest tree that is made of an `NSCompoundPredicate`: its text is one that the parser reads.
    static let depthMax = 45
}

/// `ANY colors == 'red'`: a quantifier, and a relation between two operands.
struct PredicateComparison: Sendable, Equatable {
    /// How many elements of the list on the left must pass.
    enum Quantifier: String, Sendable, CaseIterable {
        /// The left side is no list, or is meant as a whole.
        case one = ""
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
    }

    /// The raw value is how the relation is written.
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

        /// What holds where this does not, of two values that can be ordered.
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

        /// The same with the sides exchanged.
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

/// The letters behind a relation: `==[cd]`.
struct PredicateOptions: OptionSet, Sendable, Equatable {
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
enum PredicateOperand: Sendable, Equatable {
    /// A field by its name, or a key path: names with points between them.
    case field(String)
    /// The record itself, `self`.
    case itself
    case constant(PredicateConstant)
    /// An expression that nothing here computes, and why.
    case unsupported(String)
}

/// `distanceToLocation:fromLocation:(field, place) < metres`.
struct PredicateDistance: Sendable, Equatable {
    var field: String
    var place: PredicatePlace
    /// One of the four that order.
    var relation: PredicateComparison.Relation
    var metres: Double
}

/// Looks for the words of a text, as `self CONTAINS 'two words'` does.
struct PredicateSearch: Sendable, Equatable {
    /// nil for all searchable fields of a record together.
    var field: String?
    var text: String
    /// All of the words must be there, and not just one.
    var wantsAll = false
}
