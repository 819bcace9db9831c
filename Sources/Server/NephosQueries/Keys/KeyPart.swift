import CloudKitWire
import NephosStorage

/// The encoding of values in index keys, whose memcmp order is the order of the values (docs/decisions/0004).
///
/// A part is a byte for its kind, then the value. No part is a prefix of another one, so parts can be concatenated. In a
/// descending part the bytes of the value are inverted.
enum KeyPart {
    static let present: UInt8 = 0x10
    /// Replaces all members or words of a record that has too many of them: the record itself must be compared.
    static let overflow: UInt8 = 0x20
    static let missing: UInt8 = 0xF0

    /// The size of a part for a cell or a number.
    static let cellLength = 9

    /// The maximum size of a string in a part that queries compare with a value.
    static let fixedLimit = 128

    /// The maximum size of a string in each part of an order with this many keys. The rest does not count in the order.
    static func orderLimit(keys: Int) -> Int { min(512, 1_800 / max(1, keys)) }

    /// Follows the 00 at the end of a string.
    static let endMark: UInt8 = 0x01
    fileprivate static let cutMark: UInt8 = 0x02
}

extension [UInt8] {
    /// Appends a part.
    ///
    /// - Parameter limit: The maximum size of a string, in bytes as written.
    /// - Returns: False if a string was cut, so that other values have the same part.
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

    /// Appends the common prefix of the parts of all strings with a prefix.
    ///
    /// - Returns: False if the prefix is too long: then a whole part is appended, which other strings have too.
    mutating func appendBeginning(_ bytes: Bytes, isDescending: Bool = false, limit: Int) -> Bool {
        append(KeyPart.present)
        let start = count
        let isWhole = appendEscaped(bytes, limit: limit)
        if !isWhole { append(contentsOf: [0x00, KeyPart.cutMark]) }
        if isDescending { invert(from: start) }
        return isWhole
    }

    /// Appends bytes with 00 as 00 FF; returns false if they did not fit.
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

    /// The bits of a double in an order that matches its value; both zeros are equal.
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

    /// The first key after all that begin with these bytes; nil if there is none.
    var successor: [UInt8]? {
        guard let index = lastIndex(where: { $0 != 0xFF }) else { return nil }
        var next = Array(self[...index])
        next[index] += 1
        return next
    }
}
