public import CloudKitWire

/// The syntax of names, and which names are valid (docs/schema.md L5 to L9).
enum Identifiers {
    /// Maximum length of a name in bytes.
    static let longest = 255

    /// Words that are names only in quotes.
    static let reserved: [Name] = ["grant", "preferred", "queryable", "searchable", "sortable"]

    /// The prefix of types and fields that the service manages: those of sharing.
    static let managedPrefix: Name = "cloudkit."

    static func continuesWord(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") }

    /// A letter, then letters, digits and `_`.
    static func isWord(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy(continuesWord)
    }

    /// Whether it is a word of the language that must be quoted as a name, in any case.
    static func isReserved(_ bytes: ArraySlice<UInt8>) -> Bool {
        reserved.contains { $0.bytes.count == bytes.count && lowercased(bytes) == Array($0.bytes) }
    }

    static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether a type or field may have this name: a word, prefixed with `cloudkit.` if sharing created it.
    static func isNameOfTypeOrField(_ name: Name) -> Bool {
        isWord(isManaged(name) ? name.bytes.dropFirst(managedPrefix.bytes.count) : name.bytes)
    }

    static func isManaged(_ name: Name) -> Bool { name.bytes.starts(with: managedPrefix.bytes) }
}

extension Name {
    /// The name in the schema language: quoted only if necessary.
    public var schemaSpelling: String {
        Identifiers.isWord(bytes) && !Identifiers.isReserved(bytes) ? text : "\"\(text)\""
    }
}
