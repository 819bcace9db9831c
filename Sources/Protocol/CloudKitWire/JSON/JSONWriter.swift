/// Appends a JSON document to one array of bytes. Commas come by themselves; that containers are closed and that
/// keys and values alternate is the caller's care.
///
/// What comes out: no white space; `"`, `\` and control characters escaped, nothing else (docs/protocol.md, "JSON").
public struct JSONWriter: Sendable {
    public internal(set) var bytes: [UInt8] = []

    public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Puts a comma where one value follows another. Only `{`, `[` and `:` need none before what comes next; inside
    /// strings nothing is ever appended in pieces that could be mistaken for them.
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

    /// The shortest digits that read back as the same double; `null` for what JSON cannot say (not finite).
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

    /// A value that is JSON already.
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

    /// - Parameter raw: A value that is JSON already.
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

    /// Appends a JSON string: quotes, and escapes where they must be.
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
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var magnitude = value.magnitude
            var first = 20
            repeat {
                first -= 1
                let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
                digits.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder))
                magnitude = quotient
            } while magnitude > 0
            if value < 0 {
                first -= 1
                digits.initializeElement(at: first, to: UInt8(ascii: "-"))
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[first..<20]))
        }
    }

    mutating func appendShortest(_ value: Double) {
        guard value.isFinite else { return append("null") }
        var text = value.description
        text.withUTF8 { append(contentsOf: $0) }
    }
}
