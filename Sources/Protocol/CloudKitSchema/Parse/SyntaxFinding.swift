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
        case "#": "Comments begin with // or --, or stand between /* and */."
        case "`" where rest.starts(with: "``".utf8): "Take out the marks of the document that this was copied from."
        case _ where isInsideName: "Names are made of letters, digits and '_'."
        case ".", "…": "Three dots stand for something left out: write it out, or make it a comment with //."
        case "←", "→", "⇐", "➜": SyntaxFinding.arrow
        case "<" where rest.first == UInt8(ascii: "-"): SyntaxFinding.arrow
        case "[", "]": "Brackets are not part of the language: write the words alone, as in QUERYABLE SORTABLE."
        case "+", "-": "This looks like a mark of a difference between two files: take it out."
        case "“", "”", "‘", "’", "'", "`": "Names stand in straight double quotes: \"name\"."
        case "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}": "This is a special space: write a plain one."
        case "{" where context == .header: SyntaxFinding.json
        case "{", "}": "A record type stands in round brackets: RECORD TYPE Name ( … );"
        default: token.kind == .word ? ofWord : nil
        }
    }

    /// Whether the character immediately follows a name, so that it was meant as a part of it.
    private var isInsideName: Bool {
        [".", "-", "$", "@", ":"].contains(image) && previous.kind == .word
            && previous.image.endIndex == token.image.startIndex
    }

    private static let arrow = "An arrow is not part of the language: put remarks behind // or --."
    private static let json = "This looks like JSON. A schema file is text that begins with DEFINE SCHEMA."

    /// Words that are not valid names.
    private var ofWord: String? {
        guard let first = token.image.first, !first.isLetter else { return nil }
        return first == UInt8(ascii: "_")
            ? "Names that begin with '_' belong to the system and stand in quotes: \"\(image)\"."
            : "Names begin with a letter."
    }

    private var ofContext: String? {
        switch context {
        case .header: "A schema begins with DEFINE SCHEMA."
        case .statement: ofStatement
        case .endOfStatement:
            "A ';' is missing: every statement ends with one, the last one too."
        case .role: token.is("TYPE") || token.is("RECORD") ? "A record type is declared with RECORD TYPE." : nil
        case .typeBody: "The fields and grants of a record type stand in round brackets, also when there are none."
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
        if token.isSymbol(";") { return "No ';' stands here: statements end with one, DEFINE SCHEMA does not." }
        if token.is("DEFINE") { return "DEFINE SCHEMA stands once, at the beginning." }
        if token.is("SECURITY") || token.is("GRANT") {
            return "Roles are declared with CREATE ROLE name; and get rights inside record types: GRANT READ TO name."
        }
        return previous.is("RECORD") ? nil : "A statement is CREATE ROLE name; or RECORD TYPE Name ( … );"
    }

    private var ofItem: String? {
        if token.isSymbol(")"), previous.isSymbol(",") { return "Take out the ',' in front of ')'." }
        if token.isSymbol(",") { return "There is a ',' too many." }
        return token.kind == .end ? "The record type has no end: close it with );" : nil
    }

    private var ofGrant: String? {
        if context == .afterRight { return "A grant is written GRANT READ, WRITE TO role." }
        for word in ["UPDATE", "DELETE", "MODIFY"] where token.is(word) { return "WRITE is to change and to delete." }
        if Schema.DataType.names.contains(where: { token.is($0.name) }) || token.is("LIST") || token.is("ENCRYPTED") {
            return "A field of this name stands in quotes: \"\(String(decoding: previous.image, as: UTF8.self))\"."
        }
        return "Rights are READ, CREATE and WRITE."
    }

    /// A reserved word where a name is expected.
    private var ofName: String? {
        guard token.kind == .word, Identifiers.isReserved(token.image) else { return nil }
        return "\(image) is a word of the language: as a name it stands in quotes, \"\(image)\"."
    }
}
