import Foundation
import NephosStorage
import NephosTesting
import Testing

@testable import NephosRunner

/// docs/people.md, "Addresses".
@Suite("Addresses of people") struct EmailAddressTests {
    /// The rows of the page's table: what is typed, what it is the same as, and how it is shown.
    private static func rows() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try String(contentsOf: root.appending(path: "docs/people.md"), encoding: .utf8)
        let start = try #require(page.firstRange(of: "| typed | the same as | shown |\n|---|---|---|\n")).upperBound
        return page[start...].split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.map {
            $0.matches(of: #/`([^`]+)`/#).map { String($0.1) }
        }
    }

    @Test("Each row of the table holds, with letters composed in any way") func table() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 9)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let address = try EmailAddress(row[0])
            #expect(address.text == row[1] && address.shown == row[2], "\(row): \(address.text)")
            for other in row.flatMap({ [$0, $0.composed, $0.decomposed, $0.uppercased()] }) where !other.contains("SS")
            {
                #expect(try EmailAddress(other) == address, "\(row): \(other)")
            }
            #expect(address.spellings.containsBytes(of: address.text))
            #expect(address.spellings.contains { $0.utf8.elementsEqual(address.shown.utf8) })
        }
    }

    // The test domains of IANA.
    @Test(
        "Domains of any script have their registered form",
        arguments: [
            ("例子.测试", "xn--fsqu00a.xn--0zwm56d"), ("예제.테스트", "xn--2j5b21b.xn--9t4b11yi5a"),
            ("דוגמה.טעסט", "xn--6dbbec0c.xn--deba0ad"),
            ("उदाहरण.परीक्षा", "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"),
            ("உதாரணம்.பரிட்சை", "xn--zkc6cc5bi7f6e.xn--hlcj6aya9esc7a"),
            ("παράδειγμα.δοκιμή", "xn--hxajbheg2az3al.xn--jxalpdlp"), ("việtnam.vn", "xn--vitnam-jk8b.vn"),
            ("i❤.ws", "xn--i-7iq.ws"), ("\u{212A}öln.example", "xn--kln-sna.example"),
        ])
    func domains(_ domain: String, _ ascii: String) throws {
        let address = try EmailAddress("a@\(domain)")
        #expect(address.domain == ascii)
        #expect(try EmailAddress(address.shown) == address && EmailAddress("a@\(ascii.uppercased())") == address)
    }

    @Test(
        "What no domain can have is refused, and the part is named",
        arguments: [
            "exa\u{200B}mple.com", "exa\u{AD}mple.com", "ｅxample.com", "xn--bücher.com", "-bücher.com", "bücher-.com",
            "bü_cher.com", "\u{301}a.com", "a\u{E000}.com", "a\u{202E}b.com", "❤\u{FE0F}.ws",
            "\(String(repeating: "ü", count: 60)).de",
        ])
    func refused(_ domain: String) {
        let part = String(domain.prefix { $0 != "." })
        #expect(throws: EmailAddressError.part(part)) { try EmailAddress("a@\(domain)") }
        let error = #expect(throws: MailAddressError.self) { try MailAddress("a@\(domain)") }
        #expect(error?.description.contains("\(part.debugDescription) is no such part.") == true)
    }

    @Test(
        "What is not one address is refused",
        arguments: [
            "", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\u{A0}c", "a@b\n", "a\u{0}@b",
            "\(String(repeating: "x", count: 253))@y", "a@\(String(repeating: "ü.", count: 60))de",
            String(repeating: "ü", count: 1_000_000) + "@b",
        ])
    func form(_ text: String) {
        #expect(throws: EmailAddressError.form) { try EmailAddress(text) }
    }

    @Test("An empty part of a domain is refused", arguments: ["a@b..c", "a@.b", "a@b.", "a@b。"])
    func empty(_ text: String) {
        #expect(throws: EmailAddressError.part("")) { try EmailAddress(text) }
    }

    @Test("Random domains return from ASCII as they were, and random codes are read without failing")
    func random() throws {
        var generator = SeededGenerator(seed: 53)
        let letters = ["a", "z", "0", "-", "ü", "é", "ñ", "д", "ж", "λ", "ن", "م", "漢", "字", "テ", "한", "क", "😀"]
        for _ in 0..<2_000 {
            let part = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? ""
            }.joined()
            guard let address = try? EmailAddress("a@x\(part)x.org") else {
                Issue.record("\(part) was refused")
                continue
            }
            #expect(address.shown == "a@x\(part)x.org", "\(address.text)")
        }
        let code = Array("abcxyz019-")
        for _ in 0..<2_000 {
            let text = String(
                (0..<Int.random(in: 0...58, using: &generator)).map { _ in
                    code.randomElement(using: &generator) ?? "a"
                })
            let address = try EmailAddress("a@xn--\(text).org")
            #expect(try EmailAddress(address.shown) == address, "\(text)")
        }
        // The code of a text with a dot of Japanese keyboards, which would be two parts.
        let dotted = "a@xn--y91x-z1b9a9-x1aac9z--acaxx-by1ycc1xzbaba.org"
        #expect(try EmailAddress(dotted).shown == dotted)
    }
}
