import NephosRunner

/// A mail server's reply to a command (RFC 5321 §4.2): a number, and a text of one or more lines.
struct SMTPReply: Equatable {
    /// 200 to 599.
    let code: Int
    let lines: [String]

    var text: String { "\(code) \(lines.joined(separator: " "))" }
    var isDone: Bool { 200..<300 ~= code }
    /// The failure may be temporary.
    var isPassing: Bool { 400..<500 ~= code }
}

/// Parses replies from bytes as they arrive, within the limits of a dialog.
struct SMTPReplyReader {
    static let lineBytesMax = 1_024
    static let linesMax = 100
    /// The maximum for a whole dialog.
    static let bytesMax = 64 << 10

    private var rest: [UInt8] = []
    private var bytes = 0
    private var code: Int?
    private var lines: [String] = []

    /// Whether there is no incomplete reply.
    var isEmpty: Bool { rest.isEmpty && code == nil }

    /// Adds bytes; ``next()`` then returns complete replies.
    mutating func take(_ more: some Collection<UInt8>) throws(MailFailure) {
        bytes += more.count
        guard bytes <= Self.bytesMax else { throw MailFailure("the replies of the mail server are too long") }
        rest += more
    }

    /// - Returns: nil if the reply is not complete yet.
    mutating func next() throws(MailFailure) -> SMTPReply? {
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            var line = rest[..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            let (number, isLast, text) = try Self.read(line)
            rest.removeSubrange(...end)
            guard code == nil || code == number, lines.count < Self.linesMax else { throw Self.notAReply }
            code = number
            lines.append(text)
            guard isLast else { continue }
            defer { (code, lines) = (nil, []) }
            return SMTPReply(code: number, lines: lines)
        }
        guard rest.count <= Self.lineBytesMax else { throw Self.notAReply }
        return nil
    }

    private static func read(_ line: ArraySlice<UInt8>) throws(MailFailure) -> (code: Int, isLast: Bool, text: String) {
        let digits = line.prefix(3)
        let mark = line.dropFirst(3).first
        guard line.count <= lineBytesMax, digits.count == 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            mark == nil || mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-")
        else { throw notAReply }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard 200..<600 ~= code else { throw notAReply }
        // Control characters are replaced, because the text may be shown in a terminal.
        let text = line.dropFirst(4).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
        return (code, mark != UInt8(ascii: "-"), String(decoding: text, as: UTF8.self))
    }

    private static let notAReply = MailFailure("the mail server sent a reply that is not valid SMTP")
}
