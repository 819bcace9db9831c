import CloudKitWire
import NephosStorage

/// The change tags of records as others than their owner see them. The owner's tag is a number that counts all changes of all of the
/// owner's zones; these reveal nothing, and are the same as long as the record is.
///
/// SipHash-2-4 by Aumasson and Bernstein, a pseudorandom function of 24 bytes: a page has 200 tags, and an HMAC costs as much as everything
/// else that is done for a record.
public struct MemberTags: Sendable {
    private let low, high: UInt64

    /// - Parameter key: The signing key of the container, of which the key of the tags is derived.
    public init(key: [UInt8]) { (low, high) = SealedToken.memberTagKey(key) }

    /// - Parameters:
    ///   - low: The first half of the key.
    ///   - high: The second half of the key.
    init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

    func tag(of record: RecordNumber, in database: DatabaseNumber, at tagSequence: Sequence) -> UInt64 {
        var state = State(low, high)
        for number in [database, record, tagSequence] { state.add(UInt64(bitPattern: number)) }
        return state.finished(count: 24)
    }

    private struct State {
        private var v0, v1, v2, v3: UInt64

        init(_ low: UInt64, _ high: UInt64) {
            (v0, v1) = (low ^ 0x736f_6d65_7073_6575, high ^ 0x646f_7261_6e64_6f6d)
            (v2, v3) = (low ^ 0x6c79_6765_6e65_7261, high ^ 0x7465_6462_7974_6573)
        }

        /// Eight bytes, the least significant one first.
        mutating func add(_ word: UInt64) {
            v3 ^= word
            rounds(2)
            v0 ^= word
        }

        /// - Parameter count: Of the bytes that were added.
        mutating func finished(count: UInt64) -> UInt64 {
            add(count << 56)
            v2 ^= 0xff
            rounds(4)
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func rounds(_ count: Int) {
            for _ in 0..<count {
                v0 &+= v1
                v1 = v1.rotated(13) ^ v0
                v0 = v0.rotated(32)
                v2 &+= v3
                v3 = v3.rotated(16) ^ v2
                v0 &+= v3
                v3 = v3.rotated(21) ^ v0
                v2 &+= v1
                v1 = v1.rotated(17) ^ v2
                v2 = v2.rotated(32)
            }
        }
    }
}

extension UInt64 {
    fileprivate func rotated(_ bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}

extension RequestContext {
    /// The change tags of records of others.
    var memberTags: MemberTags { foreign?.tags ?? MemberTags(key: signingKey) }
}
