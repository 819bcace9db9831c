import CloudKitWire
import Foundation
import NephosRunner
import NephosStorage
import Testing

@testable import NephosMail

/// docs/mail.md, "Contents of a mail".
@Suite("A mail as bytes") struct ComposingTests {
    private func text(_ mail: MailMessage) -> String { String(decoding: ComposedMail(mail).bytes, as: UTF8.self) }

    @Test("It has the required headers, and is marked as generated automatically")
    func headers() throws {
        let text = try text(.example("Hello", "One\nTwo\n"))
        #expect(
            text == """
                From: Nephos\r
                 <nephos@example.org>\r
                Message-ID: <0102030405060708090a0b0c0d0e0f10@example.org>\r
                To: mary@example.com\r
                Date: Fri, 27 Nov 2026 12:00:00 +0000\r
                Subject: Hello\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                Auto-Submitted: auto-generated\r
                \r
                One\r
                Two\r

                """)
    }

    @Test(
        "Lines are short and ASCII for any text, and decode to the same text",
        arguments: [
            "", "plain", String(repeating: "x", count: 10_000), String(repeating: "ä", count: 700),
            ".\n..\n.leading", "ends with space \nand tab\t\n", "=?UTF-8?Q?no?=", "emoji 👩‍👩‍👧‍👦 \u{2028} and \u{0}",
            "tab\tinside = equals", "From here",
        ])
    func lines(_ said: String) throws {
        let subject = said.split(whereSeparator: \.isNewline).joined(separator: " ")
        let mail = try MailMessage.example(subject, said, from: "Käthe \"K\" <nephos@example.org>")
        let bytes = ComposedMail(mail).bytes
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(bytes.allSatisfy { $0 == 13 || $0 == 10 || $0 == 9 || 0x20...0x7E ~= $0 })
        #expect(
            lines.allSatisfy { $0.utf8.count <= 78 && !$0.contains("\n") && !$0.contains("\r") && !$0.hasPrefix(".") })
        let end = try #require(lines.firstIndex(of: ""))
        #expect(Self.decoded(Array(lines[(end + 1)...])) == (said.hasSuffix("\n") || said.isEmpty ? said : said + "\n"))
        let unfolded = lines[..<end].joined(separator: "\n").replacing("\n ", with: " ").split(separator: "\n")
        let header = try #require(unfolded.first { $0.hasPrefix("Subject: ") }).dropFirst(9)
        #expect(Self.words(String(header)) == subject)
    }

    /// Decodes quoted-printable (RFC 2045 §6.7).
    private static func decoded(_ lines: [String]) -> String {
        var bytes: [UInt8] = []
        for line in lines.dropLast() {
            var rest = Array(line.utf8)[...]
            var goesOn = false
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "=") else {
                    bytes.append(byte)
                    continue
                }
                goesOn = rest.isEmpty
                if let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) { bytes.append(value) }
                rest = rest.dropFirst(2)
            }
            if !goesOn { bytes.append(UInt8(ascii: "\n")) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes encoded words (RFC 2047): whitespace between two of them is ignored.
    private static func words(_ header: String) -> String {
        guard header.hasPrefix("=?UTF-8?B?") else { return header }
        return String(
            decoding: header.split(separator: " ").flatMap { word in
                Base64.bytes(exactly: String(word.dropFirst(10).dropLast(2))) ?? []
            }, as: UTF8.self)
    }

    @Test(
        "User input cannot add a header or a server command",
        arguments: [
            "a@example.com\r\nBcc: b@example.com", "a@example.com\nRCPT TO:<b@example.com>", "a\u{0}@example.com",
            "a@example.com>", "a b@example.com", "\"a\"@example.com", "-oX@example.com", "a@b@example.com", "a@",
            "@example.com", "a..b@example.com", "a@-example.com", "a@example..com", "ä@example.com",
            "a@exa\u{200B}mple.com",
            "a@" + String(repeating: "x", count: 64) + ".com", String(repeating: "a", count: 65) + "@example.com",
            String(repeating: "a.", count: 30) + "a@" + String(repeating: "example.", count: 30) + "com",
        ])
    func injection(_ typed: String) throws {
        #expect(throws: MailAddressError.self) { try MailAddress(typed) }
        #expect(throws: MailAddressError.self) { try MailSender("Name <\(typed)>") }
        #expect(throws: MailAddressError.self) { try MailSender("Name\r\nBcc: b@example.com <a@example.com>") }
        let mail = try NewMail(
            to: MailAddress("a@example.com"), subject: "Hi\r\nBcc: b@example.com", text: "t", for: "test",
            id: Array(1...16), at: 0)
        #expect(mail.row.subject?.contains { $0.isNewline } == false)
    }

    @Test(
        "Real-world addresses are accepted",
        arguments: ["a@b", "mary.o'neil+nephos@mail.example.co.uk", "1@2.xn--p1ai"])
    func addresses(_ typed: String) throws {
        #expect(try MailAddress(typed).text == typed)
        #expect(try MailSender("Mary Example <\(typed)>").name == "Mary Example")
    }

    // docs/people.md, "Addresses".
    @Test("A domain of any language is in ASCII in the headers of a mail, of its recipient and of its sender")
    func domains() throws {
        let to = try MailAddress("Mary@Ex\u{C4}mple.com")
        let sender = try MailSender("Nephos <Nephos@b\u{FC}cher.example>")
        let mail = MailMessage(id: Array(1...16), sender: sender, to: to, subject: "s", text: "t", date: 0)
        let text = text(mail)
        #expect(text.contains("\r\nTo: mary@xn--exmple-cua.com\r\n"), "\(text)")
        #expect(text.contains("\r\n <nephos@xn--bcher-kva.example>\r\n"), "\(text)")
        #expect(text.contains("@xn--bcher-kva.example>\r\nTo:"), "\(text)")
    }

    @Test("A text that is too long is rejected, and a long subject is cut")
    func limits() throws {
        let address = try MailAddress("a@example.com")
        #expect(throws: MailFailure.self) {
            try NewMail(
                to: address, subject: "", text: String(repeating: "x", count: 64 << 10), for: "test", id: [], at: 0)
        }
        let mail = try NewMail(
            to: address, subject: String(repeating: "x", count: 300), text: "", for: "test", id: [], at: 0)
        #expect(mail.row.subject?.count == NewMail.subjectMax)
    }
}
