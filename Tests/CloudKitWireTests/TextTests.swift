import Foundation
import Testing

@testable import CloudKitWire

/// Bytes, IDs and dates as text, compared with Foundation where possible.
@Suite("Bytes, ids and dates as text") struct TextTests {
    private static let samples = (0..<40).map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 151 + count) }
    }

    @Test("Base64 equals Foundation's, and reads its own output") func base64() {
        for bytes in Self.samples {
            let text = Base64.text(bytes)
            let url = Base64.text(bytes, .urlSafe)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(
                url == text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
            #expect(Base64.bytes(exactly: text) == bytes && Base64.bytes(exactly: url, .urlSafe) == bytes)
            #expect(Base64.bytes(of: Array(text.utf8)[...]) == bytes[...])
        }
    }

    @Test(
        "Rejects base64 that our encoder would not write",
        arguments: ["A", "AB", "AAA", "AB==", "AAB=", "A===", "====", "AA==AA==", "AA\n=", "AA-_", "ÄA=", " AAA"])
    func exactBase64(text: String) {
        #expect(Base64.bytes(exactly: text) == nil)
    }

    @Test("Base64 for URLs has no padding", arguments: ["A", "AB", "AA==", "AA+/", "AAAAA"])
    func exactURLBase64(text: String) {
        #expect(Base64.bytes(exactly: text, .urlSafe) == nil)
    }

    @Test("A client's base64 can end in unused bits") func lenientBase64() {
        #expect(Base64.bytes(of: Array("AB==".utf8)[...]) == [0])
        #expect(Base64.bytes(of: Array("AA=A".utf8)[...]) == nil)
    }

    @Test("Hexadecimal digits are written and read in lower case") func hexadecimal() {
        for bytes in Self.samples {
            let text = bytes.map { String(format: "%02x", $0) }.joined()
            #expect(Hexadecimal.text(bytes) == text && Hexadecimal.text(bytes[...]) == text)
            #expect(Hexadecimal.bytes(text) == bytes)
        }
        for text in ["a", "AB", "0g", "0:", "0/", "0@", "0`", "é", "٣٣"] { #expect(Hexadecimal.bytes(text) == nil) }
        #expect(Hexadecimal.text(0x0123_4567_89AB_CDEF) == "0123456789abcdef")
        #expect(Hexadecimal.number(Array("0123456789abcdef".utf8)[...]) == 0x0123_4567_89AB_CDEF)
        for text in ["0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "+123456789abcdef"] {
            #expect(Hexadecimal.number(Array(text.utf8)[...]) == nil)
        }
    }

    @Test("Letters and digits are ASCII only") func characters() {
        for byte in UInt8.min ... .max {
            let scalar = Unicode.Scalar(byte)
            let character = Character(scalar)
            #expect(byte.isLetter == (scalar.isASCII && character.isLetter))
            #expect(byte.isDigit == (scalar.isASCII && character.isNumber))
            #expect(Hexadecimal.value(of: byte).map(Int.init) == (scalar.isASCII ? character.hexDigitValue : nil))
        }
    }

    @Test("Percent escapes follow RFC 3986, and are read in either case") func percentCoding() {
        let text = "aZ09-._~ /?%+&=\u{0}é🦊"
        let encoded = PercentCoding.encode(text)
        #expect(encoded == "aZ09-._~%20%2F%3F%25%2B%26%3D%00%C3%A9%F0%9F%A6%8A")
        #expect(PercentCoding.decode(encoded.utf8) == Array(text.utf8))
        #expect(PercentCoding.decode("%c3%A9".utf8) == Array("é".utf8))
        for text in ["%", "%4", "%4g", "%%41", "a%"] { #expect(PercentCoding.decode(text.utf8) == nil) }
    }

    @Test(
        "A UUID has its version and variant, in upper and lower case",
        arguments: [UInt64.min, .max, 0x0123_4567_89AB_CDEF])
    func uuids(word: UInt64) throws {
        for version: UInt64 in [4, 8] {
            let bits = UUIDBits(high: word, low: ~word, version: version)
            let uuid = try #require(UUID(uuidString: bits.text))
            #expect(uuid.uuidString == bits.text && uuid.uuidString.lowercased() == bits.lowerCase)
            let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
            #expect(UInt64(bytes[6] >> 4) == version && bytes[8] >> 6 == 0b10)
            #expect(UUIDBits(bytes, version: version) == bits)
        }
    }

    @Test(
        "A date equals Foundation's, and reads its own output",
        arguments: [0, 951_782_400, 1_795_248_000, 253_402_300_799])
    func dates(second: Int64) {
        let text = ISO8601.text(second * 1_000 + 999)
        #expect(text == Date(timeIntervalSince1970: Double(second)).ISO8601Format())
        #expect(ISO8601.milliseconds(text) == second * 1_000)
    }
}
