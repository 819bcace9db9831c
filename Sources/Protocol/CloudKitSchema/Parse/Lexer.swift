import CloudKitWire

/// Splits the bytes of a schema file into tokens, in one pass, skipping whitespace and comments.
struct Lexer {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var line = 1
    private var column = 1

    /// A leading byte order mark is skipped.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index += 3 }
    }

    private var place: SchemaPlace { SchemaPlace(line: line, column: column) }

    /// The unread bytes.
    var rest: ArraySlice<UInt8> { bytes[index...] }

    /// - Throws: An error for an unterminated comment or quote, and for bytes that are not UTF-8.
    mutating func next() throws(SchemaError) -> Token {
        try skipSpaceAndComments()
        let start = index
        let place = place
        guard index < bytes.endIndex else { return Token(kind: .end, image: rest, place: place) }
        let kind: Token.Kind
        switch bytes[index] {
        case UInt8(ascii: "\""):
            try skipQuoted()
            kind = .quoted
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "<"),
            UInt8(ascii: ">"):
            try advance()
            kind = .symbol
        case let byte where Identifiers.continuesWord(byte):
            skipWord()
            kind = .word
        default:
            try advance()
            kind = .stray
        }
        return Token(kind: kind, image: bytes[start..<index], place: place)
    }

    // MARK: Whitespace and comments

    private mutating func skipSpaceAndComments() throws(SchemaError) {
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: try advance()
            case UInt8(ascii: "/") where follows("/"), UInt8(ascii: "-") where follows("-"): try skipLine()
            case UInt8(ascii: "/") where follows("*"): try skipBlockComment()
            default: return
            }
        }
    }

    private func follows(_ character: Unicode.Scalar) -> Bool {
        index + 1 < bytes.endIndex && bytes[index + 1] == UInt8(ascii: character)
    }

    private mutating func skipLine() throws(SchemaError) {
        while index < bytes.endIndex, bytes[index] != 0x0A, bytes[index] != 0x0D { try advance() }
    }

    private mutating func skipBlockComment() throws(SchemaError) {
        let start = place
        try advance()
        try advance()
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "*"), follows("/") {
                try advance()
                return try advance()
            }
            try advance()
        }
        throw SchemaError("A comment is not closed", at: start, hint: "Close it with */.")
    }

    private mutating func skipQuoted() throws(SchemaError) {
        let start = place
        try advance()
        while index < bytes.endIndex, bytes[index] != 0x0A, bytes[index] != 0x0D {
            let isEnd = bytes[index] == UInt8(ascii: "\"")
            try advance()
            if isEnd { return }
        }
        throw SchemaError("A quoted name is not closed on its line", at: start, hint: "Close it with \".")
    }

    private mutating func skipWord() {
        while index < bytes.endIndex, Identifiers.continuesWord(bytes[index]) {
            index += 1
            column += 1
        }
    }

    // MARK: Characters

    /// Consumes one character, or a line break: LF, CR, or both.
    private mutating func advance() throws(SchemaError) {
        switch bytes[index] {
        case 0x0D where follows("\n"):
            index += 2
            startLine()
        case 0x0A, 0x0D:
            index += 1
            startLine()
        case 0..<0x80:
            index += 1
            column += 1
        default:
            index += try scalarLength()
            column += 1
        }
    }

    private mutating func startLine() {
        line += 1
        column = 1
    }

    /// Length of the non-ASCII character at the index (Unicode 16, table 3-7).
    private func scalarLength() throws(SchemaError) -> Int {
        let first = bytes[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let rest = bytes[(index + 1)...].prefix(length - 1)
        let second: ClosedRange<UInt8> =
            switch first {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard (0xC2...0xF4).contains(first), rest.count == length - 1, rest.first.map(second.contains) == true,
            rest.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 })
        else { throw SchemaError("The file is not UTF-8", at: place, hint: "Save it as UTF-8.") }
        return length
    }
}
