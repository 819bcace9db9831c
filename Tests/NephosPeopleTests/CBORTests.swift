import CloudKitWire
import NephosTesting
import Testing

@testable import NephosPeople

/// Parsing of an authenticator's data, before any of it is trusted.
@Suite("CBOR of authenticators") struct CBORTests {
    private static func hex(_ text: String) throws -> ArraySlice<UInt8> {
        try #require(Hexadecimal.bytes(text), "\(text)")[...]
    }

    @Test("Numbers, texts, bytes, lists, maps and the three constants are read in their shortest form")
    func values() throws {
        let cases: [(String, CBOR)] = [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("190100", .unsigned(256)),
            ("1a00010000", .unsigned(65_536)), ("1b0000000100000000", .unsigned(1 << 32)),
            ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("390100", .negative(256)),
            ("3bffffffffffffffff", .negative(.max)), ("40", .bytes([])), ("4201ff", .bytes([1, 255])),
            ("60", .text("")), ("62c3bc", .text("ü")), ("80", .array([])),
            ("8201820203", .array([.unsigned(1), .array([.unsigned(2), .unsigned(3)])])), ("a0", .map([])),
            (
                "a201022003",
                .map([.init(key: .unsigned(1), value: .unsigned(2)), .init(key: .negative(0), value: .unsigned(3))])
            ),
            ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
        ]
        for (text, value) in cases { #expect(try CBOR(Self.hex(text)) == value, "\(text)") }
        let map = try CBOR(Self.hex("a3012003623130 61616162".replacing(" ", with: "")))
        #expect(map[1]?.int == -1 && map[3] == .text("10") && map["a"] == .text("b") && map[2] == nil && map[-1] == nil)
        #expect(try CBOR(Self.hex("1bffffffffffffffff")).int == nil && CBOR(Self.hex("3bffffffffffffffff")).int == nil)
        #expect(try CBOR(Self.hex("3b7fffffffffffffff")).int == .min)
    }

    @Test(
        "Truncated, non-minimal, indefinite, unordered, duplicate, too deep or too long data is rejected",
        arguments: [
            // Empty and truncated input.
            "", "18", "19ff", "1a000000", "41", "5a00000002aa", "62c3", "81", "8201", "a1", "a101",
            "5bffffffffffffffff",
            "7bffffffffffffffff", "9bffffffffffffffff", "bbffffffffffffffff", "9b00000000ffffffff",
            // Trailing bytes.
            "0000", "a000", "f6f6",
            // Not in the shortest encoding.
            "1817", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3800", "5801aa", "780161", "980100", "b8010001",
            // Indefinite lengths, and invalid types.
            "1c", "1d", "1e", "1f", "5f41aaff", "7f6161ff", "9f01ff", "bf0101ff", "ff",
            // Tags, floating-point numbers, other constants.
            "c000", "d81800", "f90000", "fa00000000", "fb0000000000000000", "f7", "e0", "f0", "f818", "f8ff",
            // Invalid UTF-8.
            "61ff", "62c328",
            // Keys: duplicate, out of order by kind, by length and by bytes, and of other kinds.
            "a200000001", "a220002001", "a220000001", "a2181800 1700", "a20200 0100", "a2616200 616100",
            "a262616100616200",
            "a14000", "a18000", "a1a000", "a1f500",
            // Five levels of nesting.
            "8181818181 00", "a100a100a100a100a10000",
        ])
    func refused(text: String) throws {
        #expect(throws: PasskeyProblem.unreadable) { try CBOR(Self.hex(text.replacing(" ", with: ""))) }
    }

    @Test("Four levels and 256 values are accepted, and not one more")
    func limits() throws {
        #expect(throws: Never.self) { try CBOR(Self.hex("8181818100")) }
        #expect(throws: Never.self) { try CBOR(([0x98, 255] + [UInt8](repeating: 0, count: 255))[...]) }
        #expect(throws: PasskeyProblem.unreadable) {
            try CBOR(([0x99, 1, 0] + [UInt8](repeating: 0, count: 256))[...])
        }
        // Its keys count, too.
        let keys: [UInt8] = (0..<128).flatMap { CBORWriting.int($0) + [0] }
        #expect(throws: PasskeyProblem.unreadable) { try CBOR((CBORWriting.head(5, 128) + keys)[...]) }
    }

    @Test("Any truncation or change of an attestation object is read or rejected without a crash")
    func damaged() throws {
        let whole = try SoftwarePasskey().made(#"{"challenge":"AA"}"#).object
        #expect(try AttestationObject(whole[...]).authenticator.credential != nil)
        for end in whole.indices {
            #expect(throws: PasskeyProblem.self) { try AttestationObject(whole[..<end]).authenticator }
        }
        var generator = SeededGenerator(seed: 1)
        for place in whole.indices {
            for _ in 0..<8 {
                var bytes = whole
                bytes[place] = .random(in: .min ... .max, using: &generator)
                // Parsed parts are contained in it.
                if let data = try? AttestationObject(bytes[...]).authenticator, let made = data.credential {
                    #expect(bytes.firstRange(of: made.id) != nil && bytes.firstRange(of: made.writtenKey) != nil)
                }
            }
        }
    }
}
