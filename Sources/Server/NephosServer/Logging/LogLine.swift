import NephosRunner

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

    /// Adds a text. What JSON does not allow inside strings is escaped, and so is what controls a terminal.
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
        for scalar in String(decoding: Array(text), as: UTF8.self).unicodeScalars {
            // Cut between characters, never inside one.
            if left <= 0 { break }
            left -= UTF8.width(scalar)
            switch scalar {
            case "\"", "\\": append("\\\(scalar)".utf8)
            // People read logs on terminals.
            case _ where scalar.steers:
                append("\\u")
                for shift in [12, 8, 4, 0] {
                    let digit = UInt8(truncatingIfNeeded: scalar.value >> UInt32(shift)) & 15
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
                }
            default: append(String(scalar).utf8)
            }
        }
        append("\"")
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String.UTF8View) { bytes.append(contentsOf: text) }
}
