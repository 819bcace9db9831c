import CloudKitWire
package import NephosRunner

/// A mail as bytes (RFC 5322): the same for a program, a file and a server. Lines end with CR and LF, as in SMTP, and have at most 76
/// characters, all of them ASCII.
package struct ComposedMail: Sendable {
    package let bytes: [UInt8]

    package init(_ mail: MailMessage) {
        var headers: [(String, String)] = []
        // Without a sender, a program adds these headers.
        if let sender = mail.sender {
            headers.append(("From", Self.from(sender)))
            headers.append(("Message-ID", "<\(Hexadecimal.text(mail.id))@\(sender.address.domain)>"))
        }
        headers += [
            ("To", mail.address.text), ("Date", Self.date(mail.date)),
            ("Subject", EncodedWords(mail.subject, after: "Subject: ".utf8.count).text), ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "quoted-printable"),
            // Automatic responders ignore such a mail (RFC 3834).
            ("Auto-Submitted", "auto-generated"),
        ]
        let head = headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
        bytes = Array(head.utf8) + QuotedPrintable.bytes(of: mail.text)
    }

    /// The same with local line endings, for files and programs of this machine.
    package var local: [UInt8] { bytes.filter { $0 != UInt8(ascii: "\r") } }

    private static func from(_ sender: MailSender) -> String {
        guard !sender.name.isEmpty else { return sender.address.text }
        return "\(EncodedWords(sender.name, after: "From: ".utf8.count, isPhrase: true).text)\r\n <\(sender.address)>"
    }

    /// `Fri, 27 Nov 2026 12:00:00 +0000`
    private static func date(_ time: Int64) -> String {
        let date = CivilTime(second: max(0, time / 1_000))
        return "\(days[date.weekday]), \(date.day) \(months[date.month - 1]) \(date.year) "
            + "\(CivilTime.two(date.hour)):\(CivilTime.two(date.minute)):\(CivilTime.two(date.second)) +0000"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
