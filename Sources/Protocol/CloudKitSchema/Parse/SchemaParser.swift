import CloudKitWire

/// Parses the schema language (docs/schema.md) in one pass with one token of lookahead.
///
/// The grammar is here; ``SchemaBuilder`` rejects what the grammar allows but is not meaningful.
struct SchemaParser {
    private var lexer: Lexer
    /// The current token.
    private var token: Token
    /// The one before it.
    private var previous: Token
    private var builder: SchemaBuilder

    init(_ bytes: ArraySlice<UInt8>, limits: SchemaLimits) throws(SchemaError) {
        let start = SchemaPlace(line: 1, column: 1)
        guard bytes.count <= limits.bytes else {
            throw SchemaError(
                "A schema file can have at most \(limits.bytes) bytes, this one has \(bytes.count)", at: start)
        }
        lexer = Lexer(bytes)
        builder = SchemaBuilder(limits: limits)
        token = try lexer.next()
        previous = Token(kind: .end, image: [], place: start)
    }

    mutating func document() throws(SchemaError) -> SchemaDocument {
        builder.document.header = token.place
        try take("DEFINE", in: .header)
        try take("SCHEMA", in: .header)
        while token.kind != .end {
            try statement()
            try take(";", in: .endOfStatement)
        }
        return try builder.finish()
    }

    // MARK: Statements

    private mutating func statement() throws(SchemaError) {
        if token.is("CREATE") {
            try advance()
            try take("ROLE", in: .role)
            let place = token.place
            try builder.addRole(try name(in: .role), at: place)
        } else if token.is("RECORD") {
            try advance()
            try take("TYPE", in: .statement)
            try recordType()
        } else {
            throw unexpected("\"CREATE\"", "\"RECORD\"", "<EOF>", in: .statement)
        }
    }

    private mutating func recordType() throws(SchemaError) {
        let place = token.place
        try builder.beginType(try name(in: .typeName), at: place)
        try take("(", in: .typeBody)
        if !token.isSymbol(")") {
            try item()
            while token.isSymbol(",") {
                try advance()
                try item()
            }
        }
        guard token.isSymbol(")") else {
            let options = previousIsField ? Schema.Options.words.map { "\"\($0.word)\"" } : []
            throw unexpected(options + ["\",\"", "\")\""], in: previousIsField ? .afterField : .afterGrant)
        }
        try advance()
        builder.endType()
    }

    private var previousIsField = false

    private mutating func item() throws(SchemaError) {
        previousIsField = !token.is("GRANT")
        try previousIsField ? field() : grant()
    }

    // MARK: Fields

    private mutating func field() throws(SchemaError) {
        let place = token.place
        let name = try name(in: .item)
        try builder.check(field: name, at: place)
        let typePlace = token.place
        let type = try dataType()
        try builder.check(type, of: name, at: typePlace)
        var options: Schema.Options = []
        while let option = Schema.Options.words.first(where: { token.is($0.word) })?.option {
            try builder.check(option, of: name, type, after: options, at: token.place)
            options.formUnion(option)
            try advance()
        }
        builder.add(Schema.Field(name: name, type: type, options: options), at: typePlace)
    }

    private mutating func dataType() throws(SchemaError) -> Schema.DataType {
        guard token.is("LIST") else { return try primitive(in: .dataType) }
        try advance()
        try take("<", in: .list)
        guard !token.is("LIST"), let list = try primitive(in: .element).list else {
            throw unexpected(Schema.DataType.names.map { "\"\($0.name)\"" }, in: .element)
        }
        try take(">", in: .list)
        return list
    }

    private mutating func primitive(in context: SyntaxContext) throws(SchemaError) -> Schema.DataType {
        if token.is("ENCRYPTED") {
            try advance()
            return try encrypted()
        }
        if token.is("NUMBER") {
            try advance()
            return try number()
        }
        guard let kind = namedKind else { throw unexpected("\"LIST\"", in: context) }
        try advance()
        return Schema.DataType(checked: kind)
    }

    private var namedKind: FieldType? { Schema.DataType.names.first { token.is($0.name) }?.kind }

    private mutating func encrypted() throws(SchemaError) -> Schema.DataType {
        guard let kind = namedKind, let type = Schema.DataType(kind, isEncrypted: true) else {
            let names = Schema.DataType.names.filter { Schema.DataType($0.kind, isEncrypted: true) != nil }
            throw unexpected(names.map { "\"\($0.name)\"" }, in: .encrypted)
        }
        try advance()
        return type
    }

    private mutating func number() throws(SchemaError) -> Schema.DataType {
        guard token.is("PREFERRED") else { return Schema.DataType(checked: .double, false, .undecided) }
        try advance()
        try take("AS", in: .preference)
        guard let kind = namedKind, kind == .int64 || kind == .double else {
            throw unexpected("\"DOUBLE\"", "\"INT64\"", in: .preference)
        }
        try advance()
        return Schema.DataType(checked: kind, false, .preferred)
    }

    // MARK: Grants

    private mutating func grant() throws(SchemaError) {
        try advance()
        var rights: [(right: Schema.Rights, place: SchemaPlace)] = [try right()]
        while token.isSymbol(",") {
            try advance()
            rights.append(try right())
        }
        guard token.is("TO") else { throw unexpected("\",\"", "\"TO\"", in: .afterRight) }
        try advance()
        let place = token.place
        try builder.add(rights, to: try name(in: .granted), at: place)
    }

    private mutating func right() throws(SchemaError) -> (right: Schema.Rights, place: SchemaPlace) {
        guard let right = Schema.Rights.words.first(where: { token.is($0.word) })?.right else {
            throw unexpected(Schema.Rights.words.map { "\"\($0.word)\"" }, in: .right)
        }
        let place = token.place
        try advance()
        return (right, place)
    }

    // MARK: Tokens

    private mutating func advance() throws(SchemaError) {
        previous = token
        token = try lexer.next()
    }

    private mutating func name(in context: SyntaxContext) throws(SchemaError) -> Name {
        guard let name = token.name else { throw unexpected("<IDENTIFIER>", in: context) }
        try advance()
        return name
    }

    private mutating func take(_ keyword: String, in context: SyntaxContext) throws(SchemaError) {
        guard token.kind == .symbol ? token.image.elementsEqual(keyword.utf8) : token.is(keyword) else {
            throw unexpected("\"\(keyword)\"", in: context)
        }
        try advance()
    }

    private func unexpected(_ expected: String..., in context: SyntaxContext) -> SchemaError {
        unexpected(expected, in: context)
    }

    private func unexpected(_ expected: [String], in context: SyntaxContext) -> SchemaError {
        let finding = SyntaxFinding(context: context, token: token, previous: previous, rest: lexer.rest)
        return SchemaError(token.encountered, at: token.place, expected: expected, hint: finding.hint)
    }
}
