import CloudKitWire

/// Text in a header: as it is where it is short and plain, else as encoded words (RFC 2047), one on a line. Nothing of it can end the header.
struct EncodedWords {
    let text: String

    /// Of a line (RFC 2047 §2).
    private static let lineMax = 76
    /// Bytes of an encoded word: in Base64, with what stands around it, it is 72 characters.
    private static let bytesMax = 45

    /// - Parameters:
    ///   - column: Characters before it in its line.
    ///   - isPhrase: It stands before an address, where marks mean something.
    init(_ text: String, after column: Int, isPhrase: Bool = false) {
        let isPlain = text.utf8.allSatisfy { byte in
            if isPhrase { return byte.isLetter || byte.isDigit || byte == UInt8(ascii: " ") }
            return 0x20...0x7E ~= byte
        }
        // What looks like an encoded word would be read as one.
        if isPlain, column + text.utf8.count <= Self.lineMax, !text.contains("=?") {
            self.text = text
        } else {
            self.text = Self.parts(of: text).map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: "\r\n ")
        }
    }

    /// No character is in two of them.
    private static func parts(of text: String) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(Character(scalar)).utf8)
            // The first may stand after the name of its header.
            let most = parts.count == 1 ? bytesMax - 9 : bytesMax
            if parts[parts.count - 1].count + bytes.count > most { parts.append([]) }
            parts[parts.count - 1] += bytes
        }
        return parts
    }
}
