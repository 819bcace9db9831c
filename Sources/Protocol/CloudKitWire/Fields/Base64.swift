/// Base64 of RFC 4648 §4: the standard alphabet, with padding, without line breaks.
enum Base64 {
    /// Appends a JSON string of the same bytes in their only normal form: bits of the last digit that stand for no
    /// byte are 0. False, with nothing appended, when the text is no base64.
    static func appendNormalised(_ text: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
        guard let (digits, padding) = parts(of: text) else { return false }
        out.append(UInt8(ascii: "\""))
        if padding > 0, let last = digits.last {
            out.append(contentsOf: digits.dropLast())
            out.append(alphabet[Int(value[Int(last)] & (padding == 1 ? 0b111100 : 0b110000))])
            for _ in 0..<padding { out.append(UInt8(ascii: "=")) }
        } else {
            out.append(contentsOf: digits)
        }
        out.append(UInt8(ascii: "\""))
        return true
    }

    /// The bytes that a text stands for; nil when it is no base64.
    static func bytes(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let (digits, _) = parts(of: text) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            bits = bits << 6 | UInt32(value[Int(digit)])
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes[...]
    }

    /// The text that stands for these bytes.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            for digit in 0...part.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)]) }
            for _ in part.count..<3 { text.append(UInt8(ascii: "=")) }
        }
        return text
    }

    /// The digits in front of the padding, and how much of that there is; nil when the text is no base64.
    private static func parts(of text: ArraySlice<UInt8>) -> (digits: ArraySlice<UInt8>, padding: Int)? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.last != UInt8(ascii: "=") ? 0 : text.dropLast().last != UInt8(ascii: "=") ? 1 : 2
        let digits = text.dropLast(padding)
        return digits.withUnsafeBufferPointer(areDigits) ? (digits, padding) : nil
    }

    private static func areDigits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        value.withUnsafeBufferPointer { value in
            var bad: UInt8 = 0
            for byte in text { bad |= value[Int(byte)] }
            return bad & 0x80 == 0
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The number of each digit, 0x80 for bytes that are none.
    private static let value: [UInt8] = {
        var table = [UInt8](repeating: 0x80, count: 256)
        for (number, digit) in alphabet.enumerated() { table[Int(digit)] = UInt8(number) }
        return table
    }()
}
