/// The error for a format that is not a valid predicate.
struct MalformedPredicate: Error, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// One token of a predicate's format. Specifiers are replaced with their arguments.
enum PredicateToken: Equatable {
    /// A keyword or a name. Names joined by periods are one word, and so is the name of a function with its colons.
    case word(String)
    /// The name of a field, even if it is spelled like a keyword: `%K`, `#size`.
    case key(String)
    /// A number, a quoted string, or an argument.
    case operand(PredicateOperand)
    /// `$NAME`, which stands for a value to be specified later.
    case variable(String)
    case symbol(String)

    /// Whether a value can end with this token, so that a minus after it is a subtraction.
    var endsValue: Bool {
        switch self {
        case .word(let word): !PredicateKeyword.isReserved(word)
        case .key, .operand, .variable: true
        case .symbol(let symbol): [")", "]", "}"].contains(symbol)
        }
    }

    /// The text of the token in error messages.
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
