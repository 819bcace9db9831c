/// Splits a format into tokens, and replaces each specifier with its argument.
struct PredicateLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var arguments: ArraySlice<Any>
    private(set) var tokens: [PredicateToken] = []

    /// Splits a format. Arguments without a specifier are ignored.
    init(_ format: String, _ arguments: [Any]) throws(MalformedPredicate) {
        scalars = Array(format.unicodeScalars)
        self.arguments = arguments[...]
        while let scalar = next {
            if scalar.properties.isWhitespace { position += 1 } else { tokens.append(try token(scalar)) }
        }
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func scalar(after distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    private mutating func token(_ first: Unicode.Scalar) throws(MalformedPredicate) -> PredicateToken {
        switch first {
        case "'", "\"": return .operand(.constant(.string(try quoted(first))))
        case "%": return try specifier()
        case "$":
            position += 1
            return .variable(word())
        case "#" where scalar(after: 1).map(Self.beginsWord) == true:
            position += 1
            return .key(word())
        case "@" where scalar(after: 1).map(Self.beginsWord) != true: throw MalformedPredicate("a stray '@'")
        case _ where Self.beginsWord(first): return .word(word())
        case _ where beginsNumber(first): return .operand(try number())
        default: return .symbol(try symbol(first))
        }
    }

    // MARK: Words and symbols

    private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "@" || scalar.properties.isAlphabetic
    }

    private mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = next {
            switch scalar {
            case "." where self.scalar(after: 1).map(Self.beginsWord) == true: break
            case ":" where self.scalar(after: 1) != "=": break
            case _ where Self.beginsWord(scalar) || scalar.properties.numericType == .decimal: break
            default: return String(word)
            }
            word.append(scalar)
            position += 1
        }
        return String(word)
    }

    private static let pairs: Set<String> = ["&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "**"]
    private static let singles = "<>=!(){}[],+-*/"

    private mutating func symbol(_ first: Unicode.Scalar) throws(MalformedPredicate) -> String {
        if let second = scalar(after: 1) {
            let pair = "\(first)\(second)"
            if Self.pairs.contains(pair) {
                position += 2
                return pair
            }
        }
        guard Self.singles.unicodeScalars.contains(first) else { throw MalformedPredicate("a stray '\(first)'") }
        position += 1
        return String(first)
    }

    // MARK: Texts

    private mutating func quoted(_ quote: Unicode.Scalar) throws(MalformedPredicate) -> String {
        var text = String.UnicodeScalarView()
        position += 1
        while let scalar = next {
            position += 1
            if scalar == quote { return String(text) }
            text.append(scalar == "\\" ? try escaped() : scalar)
        }
        throw MalformedPredicate("a quote is not closed")
    }

    private mutating func escaped() throws(MalformedPredicate) -> Unicode.Scalar {
        guard let scalar = next else { throw MalformedPredicate("a quote is not closed") }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u", "U": return try hexadecimal()
        default: return scalar
        }
    }

    private mutating func hexadecimal() throws(MalformedPredicate) -> Unicode.Scalar {
        var digits = ""
        while let scalar = next, digits.count < 4, scalar.properties.isASCIIHexDigit {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        guard digits.count == 4, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw MalformedPredicate("'\\u' needs four hexadecimal digits")
        }
        return scalar
    }

    // MARK: Numbers

    private func beginsNumber(_ first: Unicode.Scalar) -> Bool {
        if Self.isDigit(first) { return true }
        guard let second = scalar(after: 1) else { return false }
        if first == "." { return Self.isDigit(second) }
        guard first == "-", !followsValue else { return false }
        return Self.isDigit(second) || second == "." && scalar(after: 2).map(Self.isDigit) == true
    }

    /// Whether a minus at this position is a subtraction. After the options of a relation it is a sign: `==[c] -5`.
    private var followsValue: Bool {
        guard let last = tokens.last, last.endsValue else { return false }
        guard last == .symbol("]"), tokens.count >= 4 else { return true }
        return tokens[tokens.count - 4].endsValue
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private mutating func number() throws(MalformedPredicate) -> PredicateOperand {
        var text = ""
        var previous: Unicode.Scalar = " "
        while let scalar = next {
            let isSign = scalar == "-" || scalar == "+"
            let isExponent = previous == "e" || previous == "E"
            guard isSign ? text.isEmpty || isExponent && !text.contains("x") : Self.continuesNumber(scalar) else {
                break
            }
            text.unicodeScalars.append(scalar)
            previous = scalar
            position += 1
        }
        if let whole = Int64(text) ?? Self.hexadecimal(text) { return .constant(.int64(whole)) }
        guard let first = text.unicodeScalars.last, first != ".", let value = Double(text), !text.contains("x") else {
            throw MalformedPredicate("'\(text)' is not a number")
        }
        return PredicateConstant(number: value).map { .constant($0) } ?? .unsupported("\(text) is not a finite number")
    }

    private static func continuesNumber(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "_" || scalar.isASCII && (isDigit(scalar) || scalar.properties.isAlphabetic)
    }

    private static func hexadecimal(_ text: String) -> Int64? {
        text.lowercased().hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : nil
    }

    // MARK: Arguments

    private mutating func specifier() throws(MalformedPredicate) -> PredicateToken {
        position += 1
        guard let scalar = next, !scalar.properties.isWhitespace, scalar != "(" else { return .symbol("%") }
        while let scalar = next, "hlqLtjz".unicodeScalars.contains(scalar) { position += 1 }
        guard let conversion = next else { throw MalformedPredicate("it ends within a specifier") }
        position += 1
        switch conversion {
        case "%": return .symbol("%")
        case "@": return .operand(PredicateOperand(value: try argument()))
        case "K": return .key(try key())
        case "d", "D", "i", "u", "U", "x", "X", "o", "O": return .operand(try whole(conversion))
        case "f", "F", "e", "E", "g", "G", "a", "A": return .operand(try fraction(conversion))
        default: throw MalformedPredicate("unknown specifier '%\(conversion)'")
        }
    }

    private mutating func argument() throws(MalformedPredicate) -> Any {
        guard let argument = arguments.popFirst() else {
            throw MalformedPredicate("it needs more arguments than were passed")
        }
        return argument
    }

    private mutating func key() throws(MalformedPredicate) -> String {
        guard case .constant(.string(let key)) = PredicateOperand(value: try argument()) else {
            throw MalformedPredicate("'%K' takes the name of a field")
        }
        return key
    }

    private mutating func whole(_ conversion: Unicode.Scalar) throws(MalformedPredicate) -> PredicateOperand {
        let operand = PredicateOperand(value: try argument())
        switch operand {
        case .constant(.int64): return operand
        case .constant(.double(let value)):
            if let whole = Int64(exactly: value.rounded(.towardZero)) { return .constant(.int64(whole)) }
            return operand
        default: throw MalformedPredicate("'%\(conversion)' takes a number")
        }
    }

    private mutating func fraction(_ conversion: Unicode.Scalar) throws(MalformedPredicate) -> PredicateOperand {
        let argument = try argument()
        let operand = PredicateOperand(value: argument)
        switch operand {
        case .constant(.int64(let value)): return .constant(.double(Double(value)))
        case .constant(.double): return operand
        case .unsupported where argument is any BinaryFloatingPoint: return operand
        default: throw MalformedPredicate("'%\(conversion)' takes a number")
        }
    }
}
