/// A log line under construction: a flat JSON object.
package struct LogLine {
    /// The maximum size of a text; longer ones are cut: a path may be 8 KB long.
    private static let textBytesMax = 1_024

    private var bytes: [UInt8]

    /// Appends to `buffer`, which is empty until ``end(giving:)``.
    init(taking buffer: inout [UInt8]) {
        bytes = []
        swap(&bytes, &buffer)
    }

    mutating func end(giving buffer: inout [UInt8]) {
        append("}\n")
        swap(&bytes, &buffer)
    }

    mutating func begin(second: [UInt8], millisecond: Int, _ level: LogLevel, _ message: String) {
        append("{\"time\":\"")
        bytes += second
        bytes.append(UInt8(ascii: "."))
        for place in [100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(millisecond / place % 10)) }
        append("Z\",\"level\":\"")
        append(level.rawValue.utf8)
        append("\"")
        member("message", message)
    }

    /// Adds a text. Bytes that JSON does not allow inside strings are escaped.
    package mutating func member(_ key: StaticString, _ text: some StringProtocol) {
        self.key(key)
        quote(text.utf8)
    }

    package mutating func member(_ key: StaticString, _ number: Int) {
        self.key(key)
        append(String(number).utf8)
    }

    /// Adds a time in milliseconds with three decimals.
    package mutating func member(_ key: StaticString, nanoseconds: Int64) {
        self.key(key)
        let microseconds = max(nanoseconds, 0) / 1_000
        append(String(microseconds / 1_000).utf8)
        bytes.append(UInt8(ascii: "."))
        for place in [100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(microseconds % 1_000 / Int64(place) % 10)) }
    }

    /// Adds a text under a dynamic key.
    mutating func member(named key: String, _ text: String) {
        append(",")
        quote(key.utf8)
        append(":")
        quote(text.utf8)
    }

    private mutating func key(_ key: StaticString) {
        append(",\"")
        append(key)
        append("\":")
    }

    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count <= textBytesMax
            && text.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private mutating func quote(_ text: some Sequence<UInt8>) {
        append("\"")
        // Nearly all texts need no escaping, and each request has some.
        if text.withContiguousStorageIfAvailable(LogLine.isPlain) == true {
            bytes.append(contentsOf: text)
            return append("\"")
        }
        var left = LogLine.textBytesMax
        for byte in text {
            // Cut between characters, never inside one.
            if left <= 0, byte & 0xC0 != 0x80 { break }
            left -= 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                append("\\u00")
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
                }
            default:
                bytes.append(byte)
            }
        }
        append("\"")
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String.UTF8View) { bytes.append(contentsOf: text) }
}
