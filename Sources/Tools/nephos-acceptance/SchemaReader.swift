import CloudKitWire

/// Reads record types from a schema file: fields, their indexes, and grants. Deliberately lenient, and separate from the server's
/// own parser: it reads existing files without judging them.
struct SchemaReader {
    private var tokens: ArraySlice<Token>

    /// A word with or without quotes, or one of `( ) , ; < >`.
    private struct Token: Equatable {
        var text: String
        var isQuoted = false

        /// Whether it is this keyword of the language; keywords are recognized in any case, and never in quotes.
        func `is`(_ keyword: String) -> Bool { !isQuoted && text.uppercased() == keyword }
    }

    /// The record types of a file, in order.
    static func shapes(in text: String) -> [RecordShape] {
        var reader = SchemaReader(tokens: tokens(of: text)[...])
        var shapes: [RecordShape] = []
        while let token = reader.next() {
            guard token.is("RECORD"), reader.take("TYPE"), let name = reader.next(), reader.take("(") else { continue }
            var shape = RecordShape(name: name.text)
            reader.readItems(of: &shape)
            shapes.append(shape)
        }
        return shapes
    }

    /// Reads up to the closing parenthesis of a record type.
    private mutating func readItems(of shape: inout RecordShape) {
        while let token = next(), !token.is(")") {
            if token.is(",") { continue }
            if token.is("GRANT"), ["READ", "CREATE", "WRITE"].contains(where: { tokens.first?.is($0) ?? false }) {
                var rights: Set<String> = []
                while let word = next(), !word.is("TO") { if !word.is(",") { rights.insert(word.text.uppercased()) } }
                if let role = next() { shape.grants[role.text, default: []].formUnion(rights) }
            } else if let field = field(named: token.text) {
                if field.name.hasPrefix("_") {
                    shape.systemFields.append(field)
                } else {
                    shape.fields.append(field)
                }
            }
        }
    }

    /// The rest of a field; nil for an invalid type.
    private mutating func field(named name: String) -> FieldShape? {
        let isList = take("LIST") && take("<")
        let isEncrypted = take("ENCRYPTED")
        let word = next()?.text.uppercased() ?? ""
        var type = word == "NUMBER" ? FieldType.int64 : FieldType(tag: word)
        var indexes: Set<FieldShape.Index> = []
        while let token = tokens.first, !token.is(","), !token.is(")") {
            if token.is("DOUBLE") { type = .double }
            if let index = FieldShape.Index(rawValue: token.text.uppercased()) { indexes.insert(index) }
            tokens.removeFirst()
        }
        return (isList ? type?.list : type).map {
            FieldShape(name: name, type: $0, isEncrypted: isEncrypted, indexes: indexes)
        }
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
