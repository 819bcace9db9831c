/// Appends a JSON document to an array of bytes. Commas are inserted automatically; the caller must close containers and alternate
/// keys and values.
///
/// The output has no whitespace; `"`, `\` and control characters are escaped, nothing else (docs/protocol.md, "JSON").
public struct JSONWriter: Sendable {
    public internal(set) var bytes: [UInt8] = []

    public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Inserts a comma between values. None is needed after `{`, `[` and `:`; strings are never appended in pieces that could be
    /// mistaken for these.
    @inline(__always)
    private mutating func separate() {
        guard let last = bytes.last else { return }
        if last != UInt8(ascii: "{"), last != UInt8(ascii: "["), last != UInt8(ascii: ":") {
            bytes.append(UInt8(ascii: ","))
        }
    }

    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// A key that needs no escapes.
    public mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// A key that may need escapes.
    public mutating func key(named name: Name) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// - Parameter text: UTF-8.
    public mutating func string(_ text: ArraySlice<UInt8>) {
        separate()
        bytes.appendQuoted(text)
    }

    public mutating func string(_ name: Name) { string(name.bytes) }

    public mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { bytes.appendQuoted($0) }
    }

    public mutating func int64(_ value: Int64) {
        separate()
        bytes.appendDecimal(value)
    }

    /// An array of numbers.
    public mutating func int64s(_ values: [Int64]) {
        beginArray()
        values.withUnsafeBufferPointer { values in
            var any: Int64 = 0
            for value in values { any |= value }
            if any == 0 { return bytes.appendZeros(values.count) }
            let most = 400
            for start in stride(from: 0, to: values.count, by: most) {
                if start > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.appendDecimals(.init(rebasing: values[start..<min(start + most, values.count)]))
            }
        }
        endArray()
    }

    /// The shortest digits that read back as the same double; `null` for values that are not finite.
    public mutating func double(_ value: Double) {
        separate()
        bytes.appendShortest(value)
    }

    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(value ? "true" : "false")
    }

    public mutating func null() {
        separate()
        bytes.append("null")
    }

    /// A value that is already JSON.
    public mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }
}

extension JSONWriter {
    public mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        string(value)
    }

    public mutating func member(_ key: StaticString, _ value: Name) {
        self.key(key)
        string(value)
    }

    public mutating func member(_ key: StaticString, _ value: Int64) {
        self.key(key)
        int64(value)
    }

    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    public mutating func member(_ key: StaticString, base64 bytes: [UInt8]) {
        self.key(key)
        string(Base64.encoded(bytes)[...])
    }

    /// - Parameter raw: A value that is already JSON.
    public mutating func member(_ key: StaticString, raw: ArraySlice<UInt8>) {
        self.key(key)
        self.raw(raw)
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a JSON string: quoted, and escaped if necessary.
    mutating func appendQuoted(_ text: ArraySlice<UInt8>) { text.withUnsafeBufferPointer { appendQuoted($0) } }

    mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        let scanner = JSONScanner(bytes: text, limits: JSONLimits())
        var start = 0
        while start < text.count {
            let end = scanner.endOfPlainText(start)
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            if end < text.count { appendEscape(text[end]) }
            start = end + 1
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
            append("u00")
            append(Hexadecimal.digit(byte >> 4))
            append(Hexadecimal.digit(byte & 15))
        }
    }

    mutating func appendDecimal(_ value: Int64) {
        withUnsafeTemporaryAllocation(byteCount: Decimal.byteCountMax, alignment: 1) { text in
            let end = Decimal.write(value, to: text, at: 0)
            append(contentsOf: UnsafeRawBufferPointer(rebasing: text[..<end]))
        }
    }

    /// Appends zeros separated by `,`, as many columns of figures consist of.
    fileprivate mutating func appendZeros(_ count: Int) {
        guard count > 0 else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * count) { text in
            for place in 0..<count {
                text[2 * place] = UInt8(ascii: "0")
                text[2 * place + 1] = UInt8(ascii: ",")
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[..<(2 * count - 1)]))
        }
    }

    /// Appends several numbers separated by `,`.
    fileprivate mutating func appendDecimals(_ values: UnsafeBufferPointer<Int64>) {
        withUnsafeTemporaryAllocation(byteCount: values.count * Decimal.byteCountMax, alignment: 1) { text in
            var end = 0
            for place in values.indices {
                if place > 0 {
                    text[end] = UInt8(ascii: ",")
                    end += 1
                }
                end = Decimal.write(values[place], to: text, at: end)
            }
            append(contentsOf: UnsafeRawBufferPointer(rebasing: text[..<end]))
        }
    }

    mutating func appendShortest(_ value: Double) {
        guard value.isFinite else { return append("null") }
        var text = value.description
        text.withUTF8 { append(contentsOf: $0) }
    }
}

/// The decimal digits of integers, eight at once: each record of a response has several times.
private enum Decimal {
    /// What ``write(_:to:at:)`` may touch: a sign and three groups of digits.
    static let byteCountMax = 25
    private static let group: UInt64 = 100_000_000

    /// Writes a number at a position of a text. - Returns: Where it ends.
    @inline(__always)
    static func write(_ value: Int64, to text: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        var end = start
        if value < 0 {
            text[end] = UInt8(ascii: "-")
            end &+= 1
        }
        let magnitude = value.magnitude
        // In long lists most are small.
        if magnitude < 10 {
            text[end] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude)
            return end &+ 1
        }
        if magnitude < group { return write(first: magnitude, to: text, at: end) }
        let high = magnitude / group
        if high < group {
            end = write(first: high, to: text, at: end)
        } else {
            end = write(first: high / group, to: text, at: end)
            end = write(digits(of: high % group), to: text, at: end)
        }
        return write(digits(of: magnitude &- high &* group), to: text, at: end)
    }

    /// Writes the first digits of a number, without the zeros before them. - Parameter value: Less than 10⁸, not 0.
    @inline(__always)
    private static func write(first value: UInt64, to text: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        let digits = digits(of: value)
        let zeros = (digits ^ 0x3030_3030_3030_3030).trailingZeroBitCount / 8
        return write(digits >> (8 &* UInt64(zeros)), to: text, at: start) &- zeros
    }

    @inline(__always)
    private static func write(_ digits: UInt64, to text: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        text.storeBytes(of: digits.littleEndian, toByteOffset: start, as: UInt64.self)
        return start &+ 8
    }

    /// Eight digits, the first one in the lowest byte. - Parameter value: Less than 10⁸.
    @inline(__always)
    private static func digits(of value: UInt64) -> UInt64 {
        // Halves of four digits, then pairs, then single digits, side by side. The factors divide by 100 and by 10.
        let high = value / 10_000
        let halves = high | (value &- high &* 10_000) << 32
        let hundreds = (halves &* 5_243) >> 19 & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) << 16
        let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
        return (tens | (pairs &- tens &* 10) << 8) | 0x3030_3030_3030_3030
    }
}
