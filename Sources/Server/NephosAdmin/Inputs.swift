public import NephosStorage

/// What administration takes from outside the program: the time, and chance. Values, so that a test scripts them.
public struct Inputs: Sendable {
    /// Milliseconds since 1970-01-01 UTC.
    public var now: @Sendable () -> Milliseconds
    /// That many random bytes, fit for secrets.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    public init(
        now: @escaping @Sendable () -> Milliseconds, randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// An upper-case UUID of version 4 (RFC 9562 §5.4).
    func uuid() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 15] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
