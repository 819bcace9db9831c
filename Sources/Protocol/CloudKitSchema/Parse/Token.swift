import CloudKitWire

/// The smallest meaningful part of a schema file.
struct Token {
    enum Kind {
        /// Letters, digits and `_`; a name or a keyword.
        case word
        /// A name in quotes.
        case quoted
        /// One of `( ) , ; < >`.
        case symbol
        /// A character without a meaning in the language.
        case stray
        case end
    }

    var kind: Kind
    /// The bytes as in the file, including quotes.
    var image: ArraySlice<UInt8>
    var place: SchemaPlace

    /// Whether it is this keyword, passed in upper case; keywords are recognized in any case, and never in quotes.
    func `is`(_ keyword: String) -> Bool {
        kind == .word && image.count == keyword.utf8.count
            && zip(image, keyword.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    func isSymbol(_ symbol: Character) -> Bool { kind == .symbol && image.first == symbol.asciiValue }

    /// The name that the token denotes; nil if it is not a name.
    var name: Name? {
        switch kind {
        case .word: Identifiers.isWord(image) && !Identifiers.isReserved(image) ? Name(bytes: image).owned : nil
        case .quoted: Name(bytes: image.dropFirst().dropLast()).owned
        default: nil
        }
    }

    /// The token as shown in messages: `"GRANT" "grant"`, `<IDENTIFIER> "TEXT"`, without the outer quotes.
    var encountered: String {
        guard kind != .end else { return "Encountered \"<EOF>\"" }
        return "Encountered \" \(kindName) \"\(Token.excerpt(image)) \"\""
    }

    private var kindName: String {
        switch kind {
        case .symbol: "\"\(String(decoding: image, as: UTF8.self))\""
        case .quoted: "<IDENTIFIER>"
        case .word where !Identifiers.isWord(image): "<UNKNOWN>"
        case .word: Token.keywords.first(where: { self.is($0) }).map { "\"\($0)\"" } ?? "<IDENTIFIER>"
        case .stray, .end: "<UNKNOWN>"
        }
    }

    /// The lexer's keywords; names of data types are ordinary names to it.
    private static let keywords = [
        "AS", "CREATE", "DEFINE", "ENCRYPTED", "GRANT", "LIST", "PREFERRED", "QUERYABLE", "READ", "RECORD", "ROLE",
        "SCHEMA", "SEARCHABLE", "SORTABLE", "TO", "TYPE", "WRITE",
    ]

    /// At most 40 characters of the file, without terminal control sequences.
    static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(164), as: UTF8.self).unicodeScalars
        var text = ""
        for scalar in scalars.prefix(40) {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return scalars.count > 40 ? text + "…" : text
    }
}

extension Name {
    /// The name as shown in messages: like ``schemaSpelling``, but truncated and without control characters.
    var shown: String { Identifiers.isWord(bytes) ? schemaSpelling : "\"\(Token.excerpt(bytes))\"" }
}
