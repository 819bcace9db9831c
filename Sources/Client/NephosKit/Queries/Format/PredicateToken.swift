/// A format that is no predicate.
struct MalformedPredicate: Error, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// One word of a predicate's format, with the argument it asks for in its place.
enum PredicateToken: Equatable {
    /// A keyword or a name; names joined by points are one word, and so is the name of a function with its colons.
    case word(String)
    /// A field that is no keyword, whatever it looks like: `%K`, `#size`.
    case key(String)
    /// A number, a quoted text, an argument.
    case operand(PredicateOperand)
    /// `$NAME`, which stands for a value to be given later.
    case variable(String)
    case symbol(String)

    /// Whether a value may end here, so that a minus behind it takes away.
    var endsValue: Bool {
        switch self {
        case .word(let word): !PredicateKeyword.isReserved(word)
        case .key, .operand, .variable: true
        case .symbol(let symbol): [")", "]", "}"].contains(symbol)
        }
    }

    /// How an error names it.
    var text: String {
        switch self {
        case .word(let text), .key(let text), .symbol(let text): "'\(text)'"
        case .variable(let name): "'$\(name)'"
        case .operand(.constant(let constant)): constant.predicateText
        case .operand: "a value"
        }
    }
}

enum PredicateKeyword {
    private static let reserved: Set<String> = [
        "ALL", "AND", "ANY", "BEGINSWITH", "BETWEEN", "CAST", "CONTAINS", "ENDSWITH", "FALSE", "FALSEPREDICATE", "IN",
        "LIKE", "MALFORMEDPREDICATE", "MATCHES", "NIL", "NO", "NONE", "NOT", "NULL", "OR", "SELF", "SOME",
        "TOKENMATCHES", "TRUE", "TRUEPREDICATE", "UNSUPPORTEDPREDICATE", "YES",
    ]

    static func isReserved(_ word: String) -> Bool { reserved.contains(word.uppercased()) }
}
