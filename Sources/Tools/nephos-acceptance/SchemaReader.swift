import CloudKitWire

/// Reads the shapes of record types from a schema file, and nothing else of it: grants, roles and indexes are passed
/// over. Tolerant on purpose: it has to read what people have, not to judge it.
struct SchemaReader {
    private var tokens: ArraySlice<Token>

    /// A word with or without quotes, or one of `( ) , ; < >`.
    private struct Token: Equatable {
        var text: String
        var isQuoted = false

        /// Whether it is this word of the language; those are read in any case, and never in quotes.
        func `is`(_ keyword: String) -> Bool { !isQuoted && text.uppercased() == keyword }
    }

    /// The record types of a file, in their order; fields that belong to the system are left out.
    static func shapes(in text: String) -> [RecordShape] {
        var reader = SchemaReader(tokens: tokens(of: text)[...])
        var shapes: [RecordShape] = []
        while let token = reader.next() {
            guard token.is("RECORD"), reader.take("TYPE"), let name = reader.next(), reader.take("(") else { continue }
            shapes.append(RecordShape(name: name.text, fields: reader.fields()))
        }
        return shapes
    }

    /// Everything up to the bracket that closes a record type.
    private mutating func fields() -> [FieldShape] {
        var fields: [FieldShape] = []
        while let token = next(), !token.is(")") {
            if token.is(",") { continue }
            if token.is("GRANT"), ["READ", "CREATE", "WRITE"].contains(where: { tokens.first?.is($0) ?? false }) {
                while let word = next(), !word.is("TO") {}
                _ = next()
            } else if let field = field(named: token.text), !field.name.hasPrefix("_") {
                fields.append(field)
            }
        }
        return fields
    }

    /// The rest of a field; nil for a type that is none.
    private mutating func field(named name: String) -> FieldShape? {
        let isList = take("LIST") && take("<")
        let isEncrypted = take("ENCRYPTED")
        let word = next()?.text.uppercased() ?? ""
        var type = word == "NUMBER" ? FieldType.int64 : FieldType(tag: word)
        while let token = tokens.first, !token.is(","), !token.is(")") {
            if token.is("DOUBLE") { type = .double }
            tokens.removeFirst()
        }
        return (isList ? type?.list : type).map { FieldShape(name: name, type: $0, isEncrypted: isEncrypted) }
    }

    private mutating func next() -> Token? { tokens.popFirst() }

    private mutating func take(_ keyword: String) -> Bool {
        guard let token = tokens.first, token.is(keyword) else { return false }
        tokens.removeFirst()
        return true
    }

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if rest.starts(with: "//".unicodeScalars) || rest.starts(with: "--".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else if first == "\"" {
                let word = rest.dropFirst().prefix { $0 != "\"" }
                tokens.append(Token(text: String(word), isQuoted: true))
                rest = rest.dropFirst(word.count + 2)
            } else if "(),;<>".unicodeScalars.contains(first) {
                tokens.append(Token(text: String(first)))
                rest = rest.dropFirst()
            } else if first.properties.isWhitespace {
                rest = rest.dropFirst()
            } else {
                let word = rest.prefix { !$0.properties.isWhitespace && !"(),;<>\"".unicodeScalars.contains($0) }
                tokens.append(Token(text: String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return tokens
    }
}
