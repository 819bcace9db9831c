/// Writes integers in as few bytes as possible: 7 bits per byte, the low ones first, all but the last with the high bit set.
package struct NumberWriter {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// A negative number needs ten bytes.
    package mutating func number(_ number: Int64) {
        var rest = UInt64(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// For numbers near 0, positive or negative.
    package mutating func signed(_ number: Int64) { self.number((number << 1) ^ (number >> 63)) }

    /// The number of bytes, then the bytes.
    package mutating func counted(_ more: some Collection<UInt8>) {
        number(Int64(more.count))
        bytes += more
    }
}

/// Reads what ``NumberWriter`` has written. Each method returns nil if the bytes do not contain a value of its kind.
package struct NumberReader {
    private let bytes: [UInt8]
    package var at: Int

    package init(_ bytes: [UInt8], from start: Int = 0) { (self.bytes, at) = (bytes, start) }

    package var isAtEnd: Bool { at >= bytes.count }

    package mutating func byte() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    package mutating func number() -> Int64? {
        // Most numbers are small.
        if at < bytes.count, bytes[at] < 0x80 {
            at += 1
            return Int64(bytes[at - 1])
        }
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while at < bytes.count, shift < 64 {
            let byte = bytes[at]
            at += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int64(bitPattern: value) }
            shift += 7
        }
        return nil
    }

    package mutating func signed() -> Int64? {
        guard let number = number().map(UInt64.init(bitPattern:)) else { return nil }
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    package mutating func counted() -> ArraySlice<UInt8>? {
        guard let count = number(), count >= 0, count <= bytes.count - at else { return nil }
        defer { at += Int(count) }
        return bytes[at..<at + Int(count)]
    }
}
