import CloudKitWire

/// The smallest part of a schema file that means something.
struct Token {
    enum Kind {
        /// Letters, digits and `_`; a name or a word of the language.
        case word
        /// A name in quotes.
        case quoted
        /// One of `( ) , ; < >`.
        case symbol
        /// A character that the language has no use for.
        case stray
        case end
    }

    var kind: Kind
    /// As it stands in the file, with its quotes.
    var image: ArraySlice<UInt8>
    var place: SchemaPlace

    /// Whether it is this word of the language, given in capitals; those are read in any case, and never in quotes.
    func `is`(_ keyword: String) -> Bool {
        kind == .word && image.count == keyword.utf8.count
            && zip(image, keyword.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    func isSymbol(_ symbol: Character) -> Bool { kind == .symbol && image.first == symbol.asciiValue }

    /// The name it stands for; nil for what is no name.
    var name: Name? {
        switch kind {
        case .word: Identifiers.isWord(image) && !Identifiers.isReserved(image) ? Name(bytes: image).owned : nil
        case .quoted: Name(bytes: image.dropFirst().dropLast()).owned
        default: nil
        }
    }

    /// As messages show it: `"GRANT" "grant"`, `<IDENTIFIER> "TEXT"`, without the quotes around everything.
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

    /// What the lexer knows; names of data types are names like any other to it.
    private static let keywords = [
        "AS", "CREATE", "DEFINE", "ENCRYPTED", "GRANT", "LIST", "PREFERRED", "QUERYABLE", "READ", "RECORD", "ROLE",
        "SCHEMA", "SEARCHABLE", "SORTABLE", "TO", "TYPE", "WRITE",
    ]

    /// At most 40 characters of the file, with nothing in them that a terminal would obey.
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
    /// As messages show it: like ``schemaSpelling``, but short and without control characters.
    var shown: String { Identifiers.isWord(bytes) ? schemaSpelling : "\"\(Token.excerpt(bytes))\"" }
}
