import CloudKitWire
import NephosStorage

/// The bytes that values have in keys of indexes, in an order that memcmp keeps (docs/decisions/0004).
///
/// A part is a byte that says what follows, then the value. No part begins like another whole one, so parts may stand
/// behind each other. A part that sorts downwards has the bytes of its value inverted.
enum KeyPart {
    static let present: UInt8 = 0x10
    /// Stands for all members or words of a record that has too many of them: the record itself must be compared.
    static let overflow: UInt8 = 0x20
    static let missing: UInt8 = 0xF0

    /// Bytes of a part that is a cell or a number.
    static let cellLength = 9

    /// Longest string in a part that queries fix to a value.
    static let fixedLimit = 128

    /// Longest string in each part of an order by so many keys. What is behind it does not count in the order.
    static func orderLimit(keys: Int) -> Int { min(512, 1_800 / max(1, keys)) }

    /// Behind the 00 that closes a string.
    static let endMark: UInt8 = 0x01
    fileprivate static let cutMark: UInt8 = 0x02
}

extension [UInt8] {
    /// Appends a part.
    ///
    /// - Parameter limit: Most bytes that a string takes, counted as they are written.
    /// - Returns: False when a string was cut, so that others have the same part.
    @discardableResult
    mutating func appendPart(_ value: QueryValue, isDescending: Bool = false, limit: Int) -> Bool {
        append(KeyPart.present)
        let start = count
        var isWhole = true
        switch value {
        case .integer(let number): append(bigEndian: UInt64(bitPattern: number) ^ 1 << 63)
        case .double(let number): append(bigEndian: Self.ordered(number))
        case .bytes(let bytes):
            isWhole = appendEscaped(bytes, limit: limit)
            append(0x00)
            append(isWhole ? KeyPart.endMark : KeyPart.cutMark)
        case .user(let user):
            append(bigEndian: user.high)
            append(bigEndian: user.low)
        }
        if isDescending { invert(from: start) }
        return isWhole
    }

    mutating func appendPart(cell: UInt64, isDescending: Bool = false) {
        append(KeyPart.present)
        append(bigEndian: isDescending ? ~cell : cell)
    }

    /// The beginning of the parts of all strings that begin so.
    ///
    /// - Returns: False when the beginning is too long: then a whole part is appended, which others have too.
    mutating func appendBeginning(_ bytes: Bytes, isDescending: Bool = false, limit: Int) -> Bool {
        append(KeyPart.present)
        let start = count
        let isWhole = appendEscaped(bytes, limit: limit)
        if !isWhole { append(contentsOf: [0x00, KeyPart.cutMark]) }
        if isDescending { invert(from: start) }
        return isWhole
    }

    /// Appends bytes with 00 as 00 FF; false when they did not fit.
    private mutating func appendEscaped(_ bytes: Bytes, limit: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            if bytes.count <= limit, !bytes.contains(0) {
                append(contentsOf: bytes)
                return true
            }
            let end = count + limit
            for byte in bytes {
                guard count + (byte == 0 ? 2 : 1) <= end else { return false }
                append(byte)
                if byte == 0 { append(0xFF) }
            }
            return true
        }
    }

    /// The bits of a double in the order of its value; both zeros are one.
    private static func ordered(_ number: Double) -> UInt64 {
        let bits = (number == 0 ? 0.0 : number).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    mutating func append(bigEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    private mutating func invert(from start: Int) {
        for index in start..<count { self[index] = ~self[index] }
    }

    /// The first key behind all that begin with these bytes; nil when there is none.
    var successor: [UInt8]? {
        guard let index = lastIndex(where: { $0 != 0xFF }) else { return nil }
        var next = Array(self[...index])
        next[index] += 1
        return next
    }
}
