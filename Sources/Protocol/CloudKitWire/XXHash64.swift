private let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
private let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
private let prime3: UInt64 = 0x1656_67B1_9E37_79F9
private let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
private let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

/// xxHash64, seed 0 (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
public func xxHash64(_ data: UnsafeRawBufferPointer) -> UInt64 {
    var offset = 0
    let count = data.count
    var hash: UInt64
    func word(_ at: Int) -> UInt64 { UInt64(littleEndian: data.loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
    func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
    func round(_ lane: UInt64, _ input: UInt64) -> UInt64 { rotated(lane &+ input &* prime2, 31) &* prime1 }

    if count >= 32 {
        var (a, b, c, d) = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
        while offset + 32 <= count {
            a = round(a, word(offset))
            b = round(b, word(offset + 8))
            c = round(c, word(offset + 16))
            d = round(d, word(offset + 24))
            offset += 32
        }
        hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
        for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
    } else {
        hash = prime5
    }
    hash = hash &+ UInt64(count)
    while offset + 8 <= count {
        hash = rotated(hash ^ round(0, word(offset)), 27) &* prime1 &+ prime4
        offset += 8
    }
    if offset + 4 <= count {
        let half = UInt64(UInt32(littleEndian: data.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        hash = rotated(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
        offset += 4
    }
    while offset < count {
        hash = rotated(hash ^ (UInt64(data[offset]) &* prime5), 11) &* prime1
        offset += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
}
