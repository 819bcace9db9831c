import CloudKitWire

/// What the parser was reading at an unexpected token.
enum SyntaxContext {
    case header, statement, endOfStatement, role, typeName, typeBody
    /// The name of a field, or GRANT.
    case item
    case dataType, list, element, encrypted, preference
    case afterField, afterGrant, right, afterRight, granted
}

/// An unexpected token, and a guess at the intention.
struct SyntaxFinding {
    let context: SyntaxContext
    let token: Token
    let previous: Token
    /// The bytes after the token.
    let rest: ArraySlice<UInt8>

    /// A helpful sentence; nil if the intention cannot be guessed.
    var hint: String? { ofCharacter ?? ofContext ?? ofName }

    private var image: String { String(decoding: token.image.prefix(40), as: UTF8.self) }

    /// Markup pasted from documents, and look-alike characters.
    private var ofCharacter: String? {
        switch image {
        case "#": "Comments begin with // or --, or are enclosed in /* and */."
        case "`" where rest.starts(with: "``".utf8): "Remove the markup of the document that this was copied from."
        case _ where isInsideName: "Names consist of letters, digits and '_'."
        case ".", "…": "Three dots mark something left out: write it out, or turn it into a comment with //."
        case "←", "→", "⇐", "➜": SyntaxFinding.arrow
        case "<" where rest.first == UInt8(ascii: "-"): SyntaxFinding.arrow
        case "[", "]": "Brackets are not part of the language: write only the words, as in QUERYABLE SORTABLE."
        case "+", "-": "This looks like a mark of a diff: remove it."
        case "“", "”", "‘", "’", "'", "`": "Quote names with straight double quotes: \"name\"."
        case "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}": "This is a special space: use a plain one."
        case "{" where context == .header: SyntaxFinding.json
        case "{", "}": "The body of a record type is in parentheses: RECORD TYPE Name ( … );"
        default: token.kind == .word ? ofWord : nil
        }
    }

    /// Whether the character immediately follows a name, so that it was meant as a part of it.
    private var isInsideName: Bool {
        [".", "-", "$", "@", ":"].contains(image) && previous.kind == .word
            && previous.image.endIndex == token.image.startIndex
    }

    private static let arrow = "An arrow is not part of the language: put remarks after // or --."
    private static let json = "This looks like JSON. A schema file is text that begins with DEFINE SCHEMA."

    /// Words that are not valid names.
    private var ofWord: String? {
        guard let first = token.image.first, !first.isLetter else { return nil }
        return first == UInt8(ascii: "_")
            ? "Names that begin with '_' are reserved for the system and must be quoted: \"\(image)\"."
            : "Names must begin with a letter."
    }

    private var ofContext: String? {
        switch context {
        case .header: "A schema begins with DEFINE SCHEMA."
        case .statement: ofStatement
        case .endOfStatement:
            "A ';' is missing: every statement ends with one, including the last."
        case .role: token.is("TYPE") || token.is("RECORD") ? "A record type is declared with RECORD TYPE." : nil
        case .typeBody: "The fields and grants of a record type are in parentheses, even if there are none."
        case .item: ofItem
        case .dataType, .element: ofDataType
        case .list: "A list is written LIST<type>, as in LIST<STRING>."
        case .encrypted: ofEncrypted
        case .preference: "A NUMBER is one of NUMBER, NUMBER PREFERRED AS INT64 and NUMBER PREFERRED AS DOUBLE."
        case .afterField, .afterGrant: afterItem
        case .right, .afterRight: ofGrant
        case .typeName, .granted: nil
        }
    }

    private var ofStatement: String? {
        if token.isSymbol(";") { return "Remove this ';': statements end with one, DEFINE SCHEMA does not." }
        if token.is("DEFINE") { return "DEFINE SCHEMA appears once, at the beginning." }
        if token.is("SECURITY") || token.is("GRANT") {
            return "Roles are declared with CREATE ROLE name; and get rights inside record types: GRANT READ TO name."
        }
        return previous.is("RECORD") ? nil : "A statement is CREATE ROLE name; or RECORD TYPE Name ( … );"
    }

    private var ofItem: String? {
        if token.isSymbol(")"), previous.isSymbol(",") { return "Remove the ',' before ')'." }
        if token.isSymbol(",") { return "There is one ',' too many." }
        return token.kind == .end ? "The record type is not closed: close it with );" : nil
    }

    private var ofGrant: String? {
        if context == .afterRight { return "A grant is written GRANT READ, WRITE TO role." }
        for word in ["UPDATE", "DELETE", "MODIFY"] where token.is(word) {
            return "WRITE is the right to change and to delete."
        }
        if Schema.DataType.names.contains(where: { token.is($0.name) }) || token.is("LIST") || token.is("ENCRYPTED") {
            return "A field with this name must be quoted: \"\(String(decoding: previous.image, as: UTF8.self))\"."
        }
        return "Rights are READ, CREATE and WRITE."
    }

    /// A reserved word where a name is expected.
    private var ofName: String? {
        guard token.kind == .word, Identifiers.isReserved(token.image) else { return nil }
        return "\(image) is a word of the language: quote it to use it as a name, \"\(image)\"."
    }
}
