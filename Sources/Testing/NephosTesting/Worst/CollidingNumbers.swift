/// Numbers whose parts in index keys have xxHash64 values that end with 14 zero bits: a hash table of up to 16,384 slots that does
/// not keep its seed secret has one slot for all of them.
///
/// xxHash64 of a short text can be inverted step by step. A part is nine bytes: 0x10, then the number. Each hash and each last byte
/// give one text, of which one in 256 begins with 0x10.
enum CollidingNumbers {
    static func first(_ count: Int) -> [Int64] {
        var numbers: [Int64] = []
        var hash: UInt64 = 0
        while numbers.count < count {
            hash += 1 << 14
            for last in UInt64(0)..<256 {
                let word = word(before: last, hash)
                guard word & 0xFF == 0x10, numbers.count < count else { continue }
                // The word's other bytes are the first seven of the number, the highest first.
                let bits = (word >> 8 | last << 56).byteSwapped
                numbers.append(Int64(bitPattern: bits ^ 1 << 63))
            }
        }
        return numbers
    }

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87, prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9, prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
    private static let (inverse1, inverse2, inverse3) = (inverse(prime1), inverse(prime2), inverse(prime3))

    /// The first eight bytes of a text of nine, by its last byte and its hash.
    private static func word(before last: UInt64, _ hash: UInt64) -> UInt64 {
        var hash = hash ^ hash >> 32
        hash = unshifted(hash &* inverse3, 29)
        hash = unshifted(hash &* inverse2, 33)
        hash = rotated(hash &* inverse1, 53) ^ (last &* prime5)
        hash = rotated((hash &- prime4) &* inverse1, 37) ^ (prime5 &+ 9)
        return rotated(hash &* inverse1, 33) &* inverse2
    }

    private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }

    /// The value that gave this one by `value ^ value >> bits`.
    private static func unshifted(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value ^ value >> bits ^ value >> (2 * bits)
    }

    /// The factor that undoes an odd one, by Newton's method.
    private static func inverse(_ factor: UInt64) -> UInt64 {
        (0..<6).reduce(factor) { inverse, _ in inverse &* (2 &- factor &* inverse) }
    }
}
