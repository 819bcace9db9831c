/// Parses whole numbers in external input: headers, URLs, tags, environment variables. The only place where digits become a number,
/// so that overflow is always handled, and digits mean the same everywhere.
///
/// JSON's numbers, which have signs, fractions and exponents, are parsed by ``JSONNumber``.
package enum Digits {
    /// The number in `text`, which must consist of ASCII digits only: no sign, no space, no digit of another script.
    ///
    /// - Parameters:
    ///   - radix: At most 36. Digits from 10 on are lower-case letters.
    ///   - max: The largest accepted number.
    /// - Returns: nil for an empty text, for one that contains anything else, and for a larger number.
    package static func number(_ text: some Sequence<UInt8>, radix: Int64 = 10, max: Int64 = .max) -> Int64? {
        guard let (value, isBeyond) = read(text, radix: radix, max: max), !isBeyond else { return nil }
        return value
    }

    /// The same, but a larger number counts as `max`, for limits that no actual value reaches.
    package static func number(_ text: some Sequence<UInt8>, clampedTo max: Int64) -> Int64? {
        read(text, radix: 10, max: max)?.value
    }

    /// Whether `text` is not empty and contains only digits, however many.
    package static func areAll(_ text: some Sequence<UInt8>) -> Bool { number(text, clampedTo: 0) != nil }

    @inline(__always)
    private static func read(
        _ text: some Sequence<UInt8>, radix: Int64, max: Int64
    ) -> (value: Int64, isBeyond: Bool)? {
        var (value, isBeyond, isEmpty): (Int64, Bool, Bool) = (0, false, true)
        for byte in text {
            guard let digit = Self.value(of: byte), digit < radix else { return nil }
            isEmpty = false
            // Continue checking: the remaining bytes may not be digits.
            if isBeyond { continue }
            let (product, overflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(digit)
            isBeyond = overflow || carry || sum > max
            value = isBeyond ? max : sum
        }
        return isEmpty ? nil : (value, isBeyond)
    }

    @inline(__always)
    private static func value(of byte: UInt8) -> Int64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int64(byte - UInt8(ascii: "a")) + 10
        default: nil
        }
    }
}
