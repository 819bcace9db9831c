import CloudKitWire

/// Text in a header: unchanged if it is short and plain, otherwise as encoded words (RFC 2047), one per line. It cannot end the header.
struct EncodedWords {
    let text: String

    /// The maximum length of a line (RFC 2047 §2).
    private static let lineMax = 76
    /// The maximum bytes of an encoded word: in Base64, with its delimiters, it has 72 characters.
    private static let bytesMax = 45

    /// - Parameters:
    ///   - column: The number of characters before it in its line.
    ///   - isPhrase: It precedes an address, where punctuation has a meaning.
    init(_ text: String, after column: Int, isPhrase: Bool = false) {
        let isPlain = text.utf8.allSatisfy { byte in
            if isPhrase { return byte.isLetter || byte.isDigit || byte == UInt8(ascii: " ") }
            return 0x20...0x7E ~= byte
        }
        // Text that looks like an encoded word would be decoded as one.
        if isPlain, column + text.utf8.count <= Self.lineMax, !text.contains("=?") {
            self.text = text
        } else {
            self.text = Self.parts(of: text).map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: "\r\n ")
        }
    }

    /// Splits the text without dividing a character.
    private static func parts(of text: String) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(Character(scalar)).utf8)
            // The first may follow the name of its header.
            let most = parts.count == 1 ? bytesMax - 9 : bytesMax
            if parts[parts.count - 1].count + bytes.count > most { parts.append([]) }
            parts[parts.count - 1] += bytes
        }
        return parts
    }
}
