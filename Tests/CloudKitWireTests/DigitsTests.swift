import CloudKitWire
import Testing

/// docs/protocol.md, J14: valid numbers outside of JSON.
@Suite("Numbers from outside, written in digits") struct DigitsTests {
    private static let fitting: [(String, Int64)] = [
        ("0", 0), ("7", 7), ("007", 7), ("9223372036854775807", .max),
        (String(repeating: "0", count: 1_000) + "12", 12),
    ]

    @Test("Digits are a number if it fits", arguments: fitting)
    func numbers(text: String, value: Int64) {
        #expect(Digits.number(text.utf8) == value)
        #expect(Digits.number(text.utf8, clampedTo: .max) == value)
    }

    @Test(
        "Anything but digits is rejected, however large",
        arguments: [
            "", "-", "+", "-0", "+5", " 5", "5 ", "5.0", "1e3", "0x1f", "1_000", "a", "٣", "１", "5٣",
            String(repeating: "9", count: 1_000) + "x",
        ]) func others(text: String)
    {
        #expect(Digits.number(text.utf8) == nil)
        #expect(Digits.number(text.utf8, clampedTo: .max) == nil)
        #expect(!Digits.areAll(text.utf8))
    }

    @Test(
        "A number that does not fit is rejected, or counts as the largest",
        arguments: ["9223372036854775808", "9999999999999999999", String(repeating: "9", count: 16_000)])
    func large(text: String) {
        #expect(Digits.number(text.utf8) == nil)
        #expect(Digits.number(text.utf8, clampedTo: .max) == .max)
        #expect(Digits.number(text.utf8, clampedTo: 3_600) == 3_600)
        #expect(Digits.areAll(text.utf8))
    }

    @Test("A limit is the largest accepted number")
    func bounds() {
        #expect(Digits.number("59".utf8, max: 59) == 59)
        #expect(Digits.number("60".utf8, max: 59) == nil)
        #expect(Digits.number("60".utf8, clampedTo: 59) == 59)
    }

    @Test("Letters are digits if the radix allows them")
    func radix() {
        #expect(Digits.number("zz".utf8, radix: 36) == 1_295)
        #expect(Digits.number("1y2p0ij32e8e7".utf8, radix: 36) == .max)
        #expect(Digits.number("1y2p0ij32e8e8".utf8, radix: 36) == nil)
        #expect(Digits.number("fg".utf8, radix: 16) == nil)
        #expect(Digits.number("F".utf8, radix: 16) == nil)
    }
}
