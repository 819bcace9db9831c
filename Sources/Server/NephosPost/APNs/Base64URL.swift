/// Base64 as JSON Web Tokens have it: URL-safe digits, no padding (RFC 7515 §2).
enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(digits[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { text.append(digits[Int(bits << (6 - bitCount) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
