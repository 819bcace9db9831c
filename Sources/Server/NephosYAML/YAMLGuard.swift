/// Checks a file before the YAML parser reads it, because the parser expands aliases without limit: ten lines can expand to more than a
/// machine's memory. The few that are allowed here cannot, and are refused once the file is parsed, with their positions.
enum YAMLGuard {
    static let anchors = "anchors and aliases are not supported: write the value in each place"
    /// The maximum size of a file, in bytes.
    static let bytesMax = 256 << 10
    /// Counts anything that looks like an alias, quoted or not; YAML has line breaks beyond ASCII.
    private static let aliasesMax = 20

    static func check(_ text: String) throws(YAMLFailure) {
        guard text.utf8.count <= bytesMax else {
            throw YAMLFailure("it has \(text.utf8.count) bytes; at most \(bytesMax) are allowed", at: nil)
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
