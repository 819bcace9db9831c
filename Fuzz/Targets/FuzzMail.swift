/// As in the room of the store.
package typealias Milliseconds = Int64

/// An address, a line break, and the rest: responses of a mail server, and a text. Responses are the same however they are cut, and bounded; a
/// valid address cannot end a line or a command; a mail is ASCII in short lines, and has one head.
func fuzzMail(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    checkReplies(parts[1])
    let typed = String(decoding: parts[0], as: UTF8.self)
    if let address = try? MailAddress(typed) {
        require(
            address.text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"<>,;:\"()[]\\".utf8.contains($0) },
            "an address ends a line or a command")
        require(address.text.utf8.count <= EmailAddress.bytesMax && !address.text.hasPrefix("-"))
    }
    if let sender = try? MailSender(typed) { checkMail(sender, String(decoding: parts[1], as: UTF8.self)) }
}

private func replies(_ bytes: ArraySlice<UInt8>, pieceBytes: Int) -> (replies: [SMTPReply], isRefused: Bool) {
    var (reader, found) = (SMTPReplyReader(), [SMTPReply]())
    var rest = bytes
    do {
        while !rest.isEmpty {
            try reader.take(rest.prefix(pieceBytes))
            rest = rest.dropFirst(pieceBytes)
            while let reply = try reader.next() { found.append(reply) }
        }
    } catch { return (found, true) }
    return (found, false)
}

private func checkReplies(_ bytes: ArraySlice<UInt8>) {
    let whole = replies(bytes, pieceBytes: .max)
    for pieceBytes in [1, 7] {
        let cut = replies(bytes, pieceBytes: pieceBytes)
        require(
            cut.replies == whole.replies && cut.isRefused == whole.isRefused,
            "replies differ when they arrive in pieces")
    }
    for reply in whole.replies {
        require(200..<600 ~= reply.code && 1...SMTPReplyReader.linesMax ~= reply.lines.count)
        require(reply.text.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "a reply has control characters")
    }
}

private func checkMail(_ sender: MailSender, _ text: String) {
    guard let address = try? MailAddress("mary@example.com") else { return }
    let subject = String(text.unicodeScalars.map { $0.isOfLine ? Character($0) : " " }.prefix(200))
    let mail = ComposedMail(
        MailMessage(id: Array(1...16), sender: sender, to: address, subject: subject, text: text, date: 0)
    ).bytes
    let lines = mail.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.dropLast() {
        require(
            line.last == UInt8(ascii: "\r") && line.count <= 300 && line.first != UInt8(ascii: "."),
            "a line is not valid")
        require(line.dropLast().allSatisfy { $0 == 9 || 0x20...0x7E ~= $0 }, "a line is not ASCII")
    }
    require(lines.last?.isEmpty == true, "the last line does not end")
    let head = lines.prefix { $0.count > 1 }.filter { $0.first != UInt8(ascii: " ") }
    require(head.count == 9, "a header became two")
}
