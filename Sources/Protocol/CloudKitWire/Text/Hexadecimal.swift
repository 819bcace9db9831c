/// Bytes as hexadecimal digits, two for each. They are written and read in lower case only, so that bytes have one text; callers
/// that accept upper case pass a lowercased text.
@usableFromInline package enum Hexadecimal {
    @usableFromInline package static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    @inlinable package static func text(_ bytes: some Sequence<UInt8>) -> String { text(Array(bytes)) }

    /// 16 digits.
    package static func text(_ number: UInt64) -> String {
        var digits: [UInt8] = []
        append(number, to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends 16 digits.
    package static func append(_ number: UInt64, to text: inout [UInt8]) {
        withUnsafeBytes(of: digits(of: number)) { text.append(contentsOf: $0) }
    }

    /// Appends 32 digits.
    package static func append(_ high: UInt64, _ low: UInt64, to text: inout [UInt8]) {
        withUnsafeBytes(of: (digits(of: high), digits(of: low))) { text.append(contentsOf: $0) }
    }

    private static func digits(of number: UInt64) -> (UInt64, UInt64) {
        (digits(of: UInt32(truncatingIfNeeded: number >> 32)), digits(of: UInt32(truncatingIfNeeded: number)))
    }

    /// Eight digits in the order of memory. All at once, because each record of a response has two user names.
    private static func digits(of number: UInt32) -> UInt64 {
        // Each four bits move into a byte of their own.
        var values = UInt64(number)
        values = (values << 16 | values) & 0x0000_FFFF_0000_FFFF
        values = (values << 8 | values) & 0x00FF_00FF_00FF_00FF
        values = (values << 4 | values) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in the bytes of values above 9.
        let letters = (values + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let step = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
        return (values + 0x3030_3030_3030_3030 + letters * step).bigEndian
    }

    /// Nil for an odd count, for upper case, and for any other character.
    @inlinable package static func bytes(_ text: some StringProtocol) -> [UInt8]? { bytes(Array(text.utf8)) }

    @usableFromInline package static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = lowerCase(digits[index]), let low = lowerCase(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Reads 16 digits; nil for anything else.
    package static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard digits.count == 16 else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard let value = lowerCase(digit) else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    /// The value of a digit in either case; nil for other bytes.
    @inlinable package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// - Parameters:
    ///   - value: Less than 16.
    ///   - ten: `a`, or `A` for upper case.
    @inlinable package static func digit(_ value: UInt8, ten: UInt8 = UInt8(ascii: "a")) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
    }

    private static func lowerCase(_ digit: UInt8) -> UInt8? {
        digit < UInt8(ascii: "a") && !digit.isDigit ? nil : value(of: digit)
    }
}
