public import CloudKitWire

/// How names are written, and which ones there can be (docs/schema.md L5 to L9).
enum Identifiers {
    /// Longest name in bytes.
    static let longest = 255

    /// Words that are a name only in quotes.
    static let reserved: [Name] = ["grant", "preferred", "queryable", "searchable", "sortable"]

    /// What belongs to the service stands behind this: types and fields of sharing.
    static let managedPrefix: Name = "cloudkit."

    static func continuesWord(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") }

    /// A letter, then letters, digits and `_`.
    static func isWord(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy(continuesWord)
    }

    /// Whether it is a word of the language that needs quotes to be a name, in any case of letters.
    static func isReserved(_ bytes: ArraySlice<UInt8>) -> Bool {
        reserved.contains { $0.bytes.count == bytes.count && lowercased(bytes) == Array($0.bytes) }
    }

    static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether a type or field may have this name: a word, with `cloudkit.` in front of what sharing made.
    static func isNameOfTypeOrField(_ name: Name) -> Bool {
        isWord(isManaged(name) ? name.bytes.dropFirst(managedPrefix.bytes.count) : name.bytes)
    }

    static func isManaged(_ name: Name) -> Bool { name.bytes.starts(with: managedPrefix.bytes) }
}

extension Name {
    /// The name as the schema language writes it: in quotes only where it has to be.
    public var schemaSpelling: String {
        Identifiers.isWord(bytes) && !Identifiers.isReserved(bytes) ? text : "\"\(text)\""
    }
}
