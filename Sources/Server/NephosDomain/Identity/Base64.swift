/// Base64 of tokens: the standard alphabet with padding where CloudKit clients decode it, the URL-safe one without
/// padding where a token travels in a URL.
enum Base64 {
    private static let standardDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlSafeDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let padding = UInt8(ascii: "=")

    static func standard(_ bytes: [UInt8]) -> String { encoded(bytes, standardDigits, padded: true) }
    static func urlSafe(_ bytes: [UInt8]) -> String { encoded(bytes, urlSafeDigits, padded: false) }
    static func decode(standard text: String) -> [UInt8]? { decoded(text, standardDigits, padded: true) }
    static func decode(urlSafe text: String) -> [UInt8]? { decoded(text, urlSafeDigits, padded: false) }

    private static func encoded(_ bytes: [UInt8], _ digits: [UInt8], padded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for position in 0..<4 {
                if position <= count {
                    text.append(digits[Int(group >> UInt32(18 - 6 * position) & 63)])
                } else if padded {
                    text.append(padding)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for anything that `encoded` would not have written.
    private static func decoded(_ text: String, _ digits: [UInt8], padded: Bool) -> [UInt8]? {
        var body = Array(text.utf8)
        if padded {
            guard body.count % 4 == 0 else { return nil }
            for _ in 0..<2 where body.last == padding { body.removeLast() }
        }
        guard body.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in body {
            guard let digit = value(of: character, digits) else { return nil }
            bits = bits << 6 | digit
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bits & ((1 << UInt32(bitCount)) - 1) == 0 ? bytes : nil
    }

    private static func value(of character: UInt8, _ digits: [UInt8]) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case digits[62]: 62
        case digits[63]: 63
        default: nil
        }
    }
}
