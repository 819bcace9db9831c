/// Validates UTF-8 (Unicode 16, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. Skips eight ASCII bytes at a
/// time.
enum UTF8Validation {
    /// Index of the first byte that is not part of a well-formed sequence; nil if all are.
    static func firstError(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = bytes.count
        var index = 0
        while index < count {
            if index + 8 <= count,
                raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            } else if bytes[index] < 0x80 {
                index += 1
            } else {
                let length = sequenceLength(bytes, index)
                guard length > 0 else { return index }
                index += length
            }
        }
        return nil
    }

    /// Length of the well-formed sequence of 2 to 4 bytes at `index`, 0 if there is none.
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let first = bytes[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first <= 0xF4, index + length <= bytes.count else { return 0 }
        let secondRange: ClosedRange<UInt8> =
            switch first {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard secondRange.contains(bytes[index + 1]) else { return 0 }
        for next in (index + 2)..<(index + max(length, 2)) where bytes[next] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
