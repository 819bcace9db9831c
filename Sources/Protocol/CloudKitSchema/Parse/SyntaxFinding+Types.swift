import CloudKitWire

extension SyntaxFinding {
    /// Types of other languages, and their equivalents here.
    private static let otherTypes: [(word: String, meant: String)] = [
        ("BOOL", "INT64, 0 or 1"), ("BOOLEAN", "INT64, 0 or 1"), ("INT", "INT64"), ("INTEGER", "INT64"),
        ("INT32", "INT64"), ("BIGINT", "INT64"), ("LONG", "INT64"), ("FLOAT", "DOUBLE"), ("REAL", "DOUBLE"),
        ("DECIMAL", "DOUBLE, or STRING where every digit counts"), ("DATE", "TIMESTAMP"), ("DATETIME", "TIMESTAMP"),
        ("TIME", "TIMESTAMP"), ("TEXT", "STRING"), ("VARCHAR", "STRING"), ("CHAR", "STRING"), ("UUID", "STRING"),
        ("ENUM", "STRING or INT64"), ("URL", "STRING"), ("JSON", "STRING or BYTES"), ("BLOB", "BYTES"),
        ("DATA", "BYTES"), ("BINARY", "BYTES"), ("FILE", "ASSET"), ("ASSETID", "ASSET"), ("REF", "REFERENCE"),
        ("COORDINATE", "LOCATION"), ("ARRAY", "LIST<type>"),
    ]

    private static let types =
        "Types are \(Schema.DataType.names.map(\.name).joined(separator: ", ")), ENCRYPTED type, LIST<type>."

    /// Where a type is expected.
    var ofDataType: String? {
        if token.is("RECORD") {
            return "A record's ID is \"___recordID\" REFERENCE; a link to another record is of type REFERENCE."
        }
        if token.is("LIST") { return "A list cannot contain lists." }
        if let other = SyntaxFinding.otherTypes.first(where: { token.is($0.word) }) {
            return "Use \(other.meant) instead."
        }
        let isOption = Schema.Options.words.contains { token.is($0.word) }
        if context == .dataType, isOption || token.isSymbol(",") || token.isSymbol(")") {
            return "The type is missing: a field is written name STRING QUERYABLE."
        }
        return SyntaxFinding.types
    }

    /// After ENCRYPTED.
    var ofEncrypted: String? {
        if token.is("ASSET") { return "Assets are always encrypted: write ASSET." }
        if token.is("REFERENCE") { return "References cannot be encrypted: write REFERENCE." }
        if token.is("LIST") { return "An encrypted list is written LIST<ENCRYPTED type>." }
        if token.is("NUMBER") { return "An encrypted number is ENCRYPTED INT64 or ENCRYPTED DOUBLE." }
        return nil
    }

    /// After a field or a grant.
    var afterItem: String? {
        for word in ["NOT", "NULL", "DEFAULT", "UNIQUE", "PRIMARY", "REQUIRED", "OPTIONAL"] where token.is(word) {
            return "The language has no such rule: every field is optional, and no value is refused."
        }
        for word in ["INDEX", "INDEXED"] where token.is(word) { return "Indexes are QUERYABLE, SORTABLE, SEARCHABLE." }
        if token.isSymbol(";") { return "Fields and grants are separated by ','; a ';' follows the closing ')'." }
        if token.kind == .end || (token.is("RECORD") && rest.starts(with: " TYPE ".utf8)) {
            return "The record type is not closed: close it with );"
        }
        let isItem = token.kind == .quoted || token.kind == .word
        return isItem ? "A ',' is missing between two fields or grants." : nil
    }
}
