/// A record's change tag: the sequence number of its last save in base 36, lower case, without leading zeros. Each number has one
/// text, so tags may be compared as numbers.
public enum ChangeTag {
    /// The text of a sequence number, which must not be negative.
    public static func text(of sequence: Int64) -> String {
        var text: [UInt8] = []
        append(sequence, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses a tag of a request; nil for one that no record ever had.
    public static func sequence(of text: Name) -> Int64? {
        let bytes = text.bytes
        guard (1...13).contains(bytes.count), bytes.count == 1 || bytes.first != UInt8(ascii: "0") else { return nil }
        return Digits.number(bytes, radix: 36)
    }

    static func append(_ sequence: Int64, to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 13) { digits in
            var magnitude = sequence.magnitude
            var first = 13
            repeat {
                first -= 1
                let digit = UInt8(truncatingIfNeeded: magnitude % 36)
                digits.initializeElement(
                    at: first, to: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                magnitude /= 36
            } while magnitude > 0
            text.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first..<13]))
        }
    }
}
