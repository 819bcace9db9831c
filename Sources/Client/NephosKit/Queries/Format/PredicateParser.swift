/// Parses the language of `NSPredicate(format:)`.
///
/// Parts of the language that CloudKit does not support are parsed as well, so that the operation can refuse them with
/// an error that names them.
struct PredicateParser {
    /// A parsed part of a format. Brackets can contain either kind.
    private enum Node {
        case predicate(PredicateTree)
        case term(PredicateTerm)
    }

    /// The maximum nesting of brackets and negations. A deeper recursion could overflow the stack.
    static let depthMax = 100

    private let tokens: [PredicateToken]
    private var position = 0
    private var depth = 0

    private init(_ tokens: [PredicateToken]) { self.tokens = tokens }

    /// Parses a format.
    ///
    /// - Returns: The tree; ``PredicateTree/malformed(_:)`` for a format that is not a valid predicate.
    static func tree(_ format: String, _ arguments: [Any] = []) -> PredicateTree {
        do throws(MalformedPredicate) {
            var parser = PredicateParser(try PredicateLexer(format, arguments).tokens)
            let tree = try parser.predicate(try parser.disjunction())
            if let token = parser.next { throw MalformedPredicate("unexpected \(token.text) after the end") }
            return tree
        } catch {
            return .malformed("\"\(format.prefix(200))\" is not a valid predicate format: \(error.reason)")
        }
    }

    // MARK: Predicates

    private mutating func disjunction() throws(MalformedPredicate) -> Node {
        let first = try conjunction()
        var parts: [PredicateTree] = []
        while accept("OR", "||") {
            if parts.isEmpty { parts.append(try predicate(first)) }
            parts.append(try predicate(try conjunction()))
        }
        return parts.isEmpty ? first : .predicate(.or(parts))
    }

    private mutating func conjunction() throws(MalformedPredicate) -> Node {
        let first = try negation()
        var parts: [PredicateTree] = []
        while accept("AND", "&&") {
            if parts.isEmpty { parts.append(try predicate(first)) }
            parts.append(try predicate(try negation()))
        }
        return parts.isEmpty ? first : .predicate(.and(parts))
    }

    private mutating func negation() throws(MalformedPredicate) -> Node {
        guard accept("NOT", "!") else { return try comparison() }
        try descend()
        defer { depth -= 1 }
        return .predicate(.not(try predicate(try negation())))
    }

    private mutating func comparison() throws(MalformedPredicate) -> Node {
        if let tree = try wholePredicate() { return .predicate(tree) }
        let quantifier = quantifier()
        let left: PredicateTerm
        switch try sum() {
        case .term(let term): left = term
        case .predicate(let tree) where quantifier == nil: return .predicate(tree)
        case .predicate: throw MalformedPredicate("a quantifier must precede a field, not a predicate")
        }
        guard let relation = relation() else {
            guard quantifier == nil else { throw MalformedPredicate("no comparison after a quantifier") }
            return .term(left)
        }
        let options = try options()
        let right = try term(try sum())
        return .predicate(
            PredicateTerm.compare(quantifier ?? .one, left, relation, options, right))
    }

    /// Reads a predicate that does not compare anything; nil if there is none.
    private mutating func wholePredicate() throws(MalformedPredicate) -> PredicateTree? {
        if accept("TRUEPREDICATE") { return .always }
        if accept("FALSEPREDICATE") { return .never }
        if accept("UNSUPPORTEDPREDICATE") { return .unsupported(try text(try terms())) }
        if accept("MALFORMEDPREDICATE") { return .malformed(try text(try terms())) }
        return nil
    }

    private mutating func quantifier() -> PredicateComparison.Quantifier? {
        if accept("ANY", "SOME") { return .any }
        if accept("ALL") { return .all }
        return accept("NONE") ? PredicateComparison.Quantifier.none : nil
    }

    private mutating func relation() -> PredicateTerm.Relation? {
        if accept("==", "=") { return .of(.equal) }
        if accept("!=", "<>") { return .of(.notEqual) }
        if accept("<=", "=<") { return .of(.lessOrEqual) }
        if accept(">=", "=>") { return .of(.greaterOrEqual) }
        if accept("TOKENMATCHES") { return .tokenMatches }
        for relation in PredicateComparison.Relation.allCases where accept(relation.rawValue) { return .of(relation) }
        return nil
    }

    private mutating func options() throws(MalformedPredicate) -> PredicateOptions {
        guard accept("[") else { return [] }
        guard case .word(let letters) = next else { throw MalformedPredicate("'[' needs the letters of options") }
        position += 1
        var options: PredicateOptions = []
        for letter in letters.lowercased() {
            guard let option = PredicateOptions.letters.first(where: { $0.0 == letter })?.1 else {
                throw MalformedPredicate("unknown option '\(letter)'")
            }
            options.insert(option)
        }
        try expect("]")
        return options
    }

    // MARK: Values

    /// Reads a value and any arithmetic or index after it, both of which are unsupported: filters cannot compute.
    private mutating func sum() throws(MalformedPredicate) -> Node {
        var node = try value()
        while case .term = node {
            if accept("[") {
                while let token = next, token != .symbol("]") { position += 1 }
                try expect("]")
                node = .term(.operand(.unsupported("list elements cannot be accessed by index")))
            } else if accept("+", "-", "*", "/", "**", "%") {
                _ = try term(try value())
                node = .term(.operand(Self.arithmetic))
            } else {
                break
            }
        }
        return node
    }

    private static let arithmetic = PredicateOperand.unsupported("arithmetic is not supported in a predicate")

    private mutating func value() throws(MalformedPredicate) -> Node {
        guard let token = next else { throw MalformedPredicate("it ends where a value is expected") }
        try descend()
        defer { depth -= 1 }
        position += 1
        switch token {
        case .operand(let operand): return .term(.operand(operand))
        case .key(let name): return .term(.operand(Self.field(name)))
        case .variable(let name):
            return .term(.operand(.unsupported("the variable $\(name) has no value")))
        case .word(let word): return .term(try named(word))
        case .symbol("("):
            let node = try disjunction()
            try expect(")")
            return node
        case .symbol("{"): return .term(.operand(try list()))
        case .symbol("-"):
            _ = try term(try value())
            return .term(.operand(Self.arithmetic))
        case .symbol: throw MalformedPredicate("a value is expected instead of \(token.text)")
        }
    }

    private mutating func named(_ word: String) throws(MalformedPredicate) -> PredicateTerm {
        switch word.uppercased() {
        case "TRUE", "YES": return .operand(.constant(.int64(1)))
        case "FALSE", "NO": return .operand(.constant(.int64(0)))
        case "NULL", "NIL": return .operand(.constant(.null))
        case "SELF": return .operand(.itself)
        case "CAST": return .operand(PredicateTerm.cast(try terms()))
        default: break
        }
        if next == .symbol("(") { return try call(word) }
        guard !PredicateKeyword.isReserved(word), !word.hasSuffix(":") else {
            throw MalformedPredicate("a value is expected instead of '\(word)'")
        }
        return .operand(Self.field(word))
    }

    private static func field(_ name: String) -> PredicateOperand {
        if name.uppercased() == "SELF" { return .itself }
        return .field(name.uppercased().hasPrefix("SELF.") ? String(name.dropFirst(5)) : name)
    }

    private mutating func call(_ function: String) throws(MalformedPredicate) -> PredicateTerm {
        switch function {
        case "now", "now:", "NOW": return PredicateTerm.now(try terms())
        case "distanceToLocation:fromLocation:": return PredicateTerm.distance(try terms())
        case "tokenize", "tokenize:using:": return PredicateTerm.words(try terms())
        default:
            try skipBrackets()
            return .operand(.unsupported("the function '\(function)' is not supported in a predicate"))
        }
    }

    private mutating func terms() throws(MalformedPredicate) -> [PredicateTerm] {
        try expect("(")
        var terms: [PredicateTerm] = []
        if accept(")") { return terms }
        repeat { terms.append(try term(try sum())) } while accept(",")
        try expect(")")
        return terms
    }

    private mutating func list() throws(MalformedPredicate) -> PredicateOperand {
        var elements: [PredicateOperand] = []
        if accept("}") { return .constant(.list([])) }
        repeat { elements.append(try term(try sum()).operand) } while accept(",")
        try expect("}")
        return .list(elements)
    }

    /// Skips the arguments of an unknown function, which may contain a whole predicate.
    private mutating func skipBrackets() throws(MalformedPredicate) {
        var open = 0
        while let token = next {
            position += 1
            if token == .symbol("(") { open += 1 }
            if token == .symbol(")") { open -= 1 }
            if open == 0 { return }
        }
        throw MalformedPredicate("a bracket is not closed")
    }

    private func text(_ terms: [PredicateTerm]) throws(MalformedPredicate) -> String {
        guard terms.count == 1, case .operand(.constant(.string(let text))) = terms[0] else {
            throw MalformedPredicate("a string is expected in brackets")
        }
        return text
    }

    // MARK: Tokens

    private var next: PredicateToken? { position < tokens.count ? tokens[position] : nil }

    private mutating func accept(_ spellings: String...) -> Bool {
        switch next {
        case .word(let word) where spellings.contains(word.uppercased()): position += 1
        case .symbol(let symbol) where spellings.contains(symbol): position += 1
        default: return false
        }
        return true
    }

    private mutating func expect(_ symbol: String) throws(MalformedPredicate) {
        guard !accept(symbol) else { return }
        throw MalformedPredicate("'\(symbol)' is missing \(next.map { "before \($0.text)" } ?? "at the end")")
    }

    private mutating func descend() throws(MalformedPredicate) {
        guard depth < Self.depthMax else { throw MalformedPredicate("it is nested too deeply") }
        depth += 1
    }

    private func predicate(_ node: Node) throws(MalformedPredicate) -> PredicateTree {
        guard case .predicate(let tree) = node else {
            throw MalformedPredicate(
                "a comparison is missing \(next.map { "before \($0.text)" } ?? "at the end")")
        }
        return tree
    }

    private func term(_ node: Node) throws(MalformedPredicate) -> PredicateTerm {
        guard case .term(let term) = node else {
            throw MalformedPredicate("a value is expected instead of a predicate")
        }
        return term
    }
}
