/// The exact value of a JSON number: significand × 10^exponent, with trailing zeros of the digits moved into the exponent. The
/// syntax must be valid.
struct JSONNumber {
    private(set) var isNegative = false
    private(set) var significand: UInt64 = 0
    private(set) var exponent = 0
    /// False if there are more digits than the significand can hold.
    private(set) var isExact = true
    /// Whether it is written without fraction and exponent.
    private(set) var isInteger = true

    init(_ text: ArraySlice<UInt8>) {
        text.withUnsafeBufferPointer { read($0) }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
        var zeros = 0
        var written = 0
        var isNegativeExponent = false
        var inFraction = false
        var index = 0
        scan: while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): inFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                isInteger = false
                while index < text.count {
                    switch text[index] {
                    case UInt8(ascii: "-"): isNegativeExponent = true
                    case UInt8(ascii: "+"): break
                    case let digit: written = min(written * 10 + Int(digit - UInt8(ascii: "0")), 100_000)
                    }
                    index += 1
                }
            case let digit:
                if inFraction { exponent -= 1 }
                if digit == UInt8(ascii: "0") { zeros += 1 } else { push(digit - UInt8(ascii: "0"), &zeros) }
            }
        }
        if inFraction { isInteger = false }
        exponent += zeros + (isNegativeExponent ? -written : written)
    }

    /// Appends a digit after `zeros` zeros.
    private mutating func push(_ digit: UInt8, _ zeros: inout Int) {
        var next = significand
        for _ in 0...(next == 0 ? 0 : zeros) {
            let (product, overflow) = next.multipliedReportingOverflow(by: 10)
            if overflow { isExact = false }
            next = product
        }
        let (sum, overflow) = next.addingReportingOverflow(UInt64(digit))
        if overflow { isExact = false }
        significand = sum
        zeros = 0
    }

    /// The value, if it is whole and fits.
    static func int64(_ text: ArraySlice<UInt8>) -> Int64? {
        let number = JSONNumber(text)
        if number.significand == 0, number.isExact { return 0 }
        guard number.isExact, number.exponent >= 0, number.exponent < 20 else { return nil }
        var magnitude = number.significand
        for _ in 0..<number.exponent {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            magnitude = product
        }
        if number.isNegative {
            return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    /// The value as `type` stores it: an INT64 exactly; of a TIMESTAMP, which some programs send with a fraction of a
    /// millisecond, the whole milliseconds. nil if it does not fit.
    static func integer(_ text: ArraySlice<UInt8>, of type: FieldType) -> Int64? {
        int64(text) ?? (type == .timestamp ? wholePart(text) : nil)
    }

    /// A value that has a fraction, without it, if that fits.
    private static func wholePart(_ text: ArraySlice<UInt8>) -> Int64? {
        let digits = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 &- UInt8(ascii: "0") < 10 }
        let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let number = JSONNumber(text)
        // The exponent is that of the last digit that is not a zero.
        let whole = digits.count - zeros + number.exponent
        guard whole <= digits.count else { return nil }
        guard whole > 0 else { return 0 }
        return int64(((number.isNegative ? [UInt8(ascii: "-")] : []) + digits.prefix(whole))[...])
    }

    /// The nearest double (ties to even), if it is finite.
    static func double(_ text: ArraySlice<UInt8>) -> Double? {
        let number = JSONNumber(text)
        // Both factors are exact as doubles, so one operation rounds once (W. Clinger, "How to read floating point numbers
        // accurately", 1990).
        if number.isExact, number.significand <= 1 << 53, abs(number.exponent) <= 22 {
            let power = powersOfTen[abs(number.exponent)]
            let digits = Double(number.significand)
            let magnitude = number.exponent < 0 ? digits / power : digits * power
            return number.isNegative ? -magnitude : magnitude
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}

private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
]
