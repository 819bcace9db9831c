/// Base64 (RFC 4648): the variants of JSON and of URLs.
package enum Base64 {
    package struct Alphabet: Sendable {
        fileprivate let digits: [UInt8]
        /// The value of each digit, 0x80 for other bytes.
        fileprivate let value: [UInt8]
        fileprivate let isPadded: Bool

        fileprivate init(lastDigits: String, isPadded: Bool) {
            digits = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastDigits).utf8)
            var value = [UInt8](repeating: 0x80, count: 256)
            for (number, digit) in digits.enumerated() { value[Int(digit)] = UInt8(number) }
            self.value = value
            self.isPadded = isPadded
        }

        /// With padding, without line breaks (§4).
        package static let standard = Alphabet(lastDigits: "+/", isPadded: true)
        /// Without padding, as in tokens in URLs and JSON Web Tokens (§5).
        package static let urlSafe = Alphabet(lastDigits: "-_", isPadded: false)
    }

    private static let padding = UInt8(ascii: "=")

    // MARK: Encoding

    package static func text(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        String(unsafeUninitializedCapacity: count(of: bytes, alphabet)) { write(bytes, alphabet, to: $0) }
    }

    package static func encoded(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count(of: bytes, alphabet)) { text, count in
            count = write(bytes, alphabet, to: text)
        }
    }

    /// Of the digits and padding of a text.
    private static func count(of bytes: [UInt8], _ alphabet: Alphabet) -> Int {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        return 4 * groups + (rest == 0 ? 0 : alphabet.isPadded ? 4 : rest + 1)
    }

    /// - Parameter text: Has room for the text.
    /// - Returns: The number of bytes written.
    private static func write(
        _ bytes: [UInt8], _ alphabet: Alphabet, to text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        alphabet.digits.withUnsafeBufferPointer { digits in
            var (from, to) = (0, 0)
            func put(_ bits: UInt32, _ count: Int) {
                for digit in 0..<count { text[to + digit] = digits[Int(bits >> UInt32(18 - 6 * digit) & 63)] }
                to += count
            }
            while from + 3 <= bytes.count {
                put(UInt32(bytes[from]) << 16 | UInt32(bytes[from + 1]) << 8 | UInt32(bytes[from + 2]), 4)
                from += 3
            }
            let rest = bytes.count - from
            guard rest > 0 else { return to }
            put(UInt32(bytes[from]) << 16 | (rest > 1 ? UInt32(bytes[from + 1]) << 8 : 0), rest + 1)
            if alphabet.isPadded {
                for _ in rest..<3 {
                    text[to] = padding
                    to += 1
                }
            }
            return to
        }
    }

    // MARK: Decoding

    /// The bytes of a standard text; nil if it is not valid base64. Unused bits of the last digit may have any value.
    package static func bytes(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let (digits, _) = parts(of: text) else { return nil }
        return decoded(digits, .standard)?.bytes[...]
    }

    /// nil for any text that ``text(_:_:)`` would not have written.
    package static func bytes(exactly text: String, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        var digits = Array(text.utf8)[...]
        if alphabet.isPadded {
            guard let parts = parts(of: digits) else { return nil }
            digits = parts.digits
        }
        guard digits.count % 4 != 1, let (bytes, isExact) = decoded(digits, alphabet), isExact else { return nil }
        return bytes
    }

    /// Appends a JSON string with the same bytes in canonical form: unused bits of the last digit are 0. False, without appending
    /// anything, if the text is not valid base64.
    static func appendNormalised(_ text: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
        guard let (digits, count) = parts(of: text) else { return false }
        let alphabet = Alphabet.standard
        out.append(UInt8(ascii: "\""))
        if count > 0, let last = digits.last {
            out.append(contentsOf: digits.dropLast())
            out.append(alphabet.digits[Int(alphabet.value[Int(last)] & (count == 1 ? 0b111100 : 0b110000))])
            for _ in 0..<count { out.append(padding) }
        } else {
            out.append(contentsOf: digits)
        }
        out.append(UInt8(ascii: "\""))
        return true
    }

    /// - Returns: nil if a byte is not a digit; also whether the unused bits are 0.
    private static func decoded(
        _ digits: ArraySlice<UInt8>, _ alphabet: Alphabet
    ) -> (bytes: [UInt8], isExact: Bool)? {
        var (bits, count, bad): (UInt32, UInt32, UInt8) = (0, 0, 0)
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count * 3 / 4) { bytes, filled in
            for digit in digits {
                let value = alphabet.value[Int(digit)]
                bad |= value
                bits = bits << 6 | UInt32(value & 63)
                count += 6
                guard count >= 8 else { continue }
                count -= 8
                bytes[filled] = UInt8(truncatingIfNeeded: bits >> count)
                filled += 1
            }
        }
        return bad & 0x80 == 0 ? (bytes, bits & ((1 << count) - 1) == 0) : nil
    }

    /// The digits before the padding, and the length of the padding; nil if the text is not valid base64.
    private static func parts(of text: ArraySlice<UInt8>) -> (digits: ArraySlice<UInt8>, padding: Int)? {
        guard text.count % 4 == 0 else { return nil }
        let count = text.last != padding ? 0 : text.dropLast().last != padding ? 1 : 2
        let digits = text.dropLast(count)
        return digits.withUnsafeBufferPointer(areDigits) ? (digits, count) : nil
    }

    private static func areDigits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        Alphabet.standard.value.withUnsafeBufferPointer { value in
            var bad: UInt8 = 0
            for byte in text { bad |= value[Int(byte)] }
            return bad & 0x80 == 0
        }
    }
}
