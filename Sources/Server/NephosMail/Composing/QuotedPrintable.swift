import CloudKitWire

/// Text as lines of ASCII (RFC 2045 §6.7), most of it still readable.
enum QuotedPrintable {
    /// The maximum length of a line, without its end.
    private static let lineMax = 76

    /// All kinds of line breaks become CR and LF; the last line ends with one, too.
    static func bytes(of text: String) -> [UInt8] {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        var out: [UInt8] = []
        for line in lines.last?.isEmpty == true ? lines.dropLast() : lines { append(Array(line.utf8), to: &out) }
        return out
    }

    private static func append(_ line: [UInt8], to out: inout [UInt8]) {
        var column = 0
        for (place, byte) in line.enumerated() {
            let isLast = place == line.count - 1
            // One column is left for the soft line break.
            if column + word(byte, isFirst: false, isLast).count > (isLast ? lineMax : lineMax - 1) {
                out += Array("=\r\n".utf8)
                column = 0
            }
            let word = word(byte, isFirst: column == 0, isLast)
            out += word
            column += word.count
        }
        out += Array("\r\n".utf8)
    }

    /// A space at the end of a line would be lost, and a dot at its beginning may have a meaning in transport.
    private static func word(_ byte: UInt8, isFirst: Bool, _ isLast: Bool) -> [UInt8] {
        let isPlain =
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): !isLast
            case UInt8(ascii: "="): false
            case UInt8(ascii: "."): !isFirst
            default: 0x21...0x7E ~= byte
            }
        return isPlain ? [byte] : Array("=\(Hexadecimal.text([byte]).uppercased())".utf8)
    }
}
