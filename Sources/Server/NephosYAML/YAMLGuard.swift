/// Looks at a file before the parser of YAML does, which follows aliases wherever they lead: ten lines can stand for more than a machine
/// holds. Those few that may remain cannot, and are refused once the file is read, with their places.
enum YAMLGuard {
    static let anchors = "anchors and aliases are refused: write the value where it is meant"
    /// Bytes of a file.
    static let bytesMax = 256 << 10
    /// What looks like an alias, in quotes or not; YAML has breaks of lines beyond ASCII.
    private static let aliasesMax = 20

    static func check(_ text: String) throws(YAMLFailure) {
        guard text.utf8.count <= bytesMax else {
            throw YAMLFailure("it has \(text.utf8.count) bytes, and may have \(bytesMax)", at: nil)
        }
        var (line, column, aliases) = (1, 0, 0)
        var previous = UInt8(ascii: " ")
        for byte in text.utf8 {
            column += 1
            if byte == UInt8(ascii: "*"), previous >= 0x80 || " \t\r\n,[]{}:-?".utf8.contains(previous) {
                aliases += 1
                guard aliases <= aliasesMax else {
                    throw YAMLFailure(anchors, at: YAMLText.Place(line: line, column: column))
                }
            }
            if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
            previous = byte
        }
    }
}
