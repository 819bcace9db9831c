import CloudKitWire

/// One of 100,000 buckets for percentages: the same salt and key give the same bucket everywhere, and buckets of different salts
/// are independent.
///
/// `bucket = (xxHash64(UTF-8 of salt + "/" + targetingKey) >> 32) * 100000 >> 32` (docs/audiences.md, "Percentages").
public struct Bucket: Sendable, Equatable {
    /// The number of buckets: a thousandth of a percent each.
    public static let count = 100_000

    private let prefix: [UInt8]

    /// - Parameter salt: Separates draws from each other: the ID of a flag unless it specifies another.
    public init(salt: String) { prefix = Array("\(salt)/".utf8) }

    /// The bucket of a key, from 0 to 99,999.
    public func number(of targetingKey: String) -> Int {
        var key = targetingKey
        return key.withUTF8 { key in
            withUnsafeTemporaryAllocation(byteCount: prefix.count + key.count, alignment: 1) { bytes in
                bytes.copyBytes(from: prefix)
                UnsafeMutableRawBufferPointer(rebasing: bytes[prefix.count...]).copyBytes(from: key)
                return Int(((xxHash64(UnsafeRawBufferPointer(bytes)) >> 32) * UInt64(Self.count)) >> 32)
            }
        }
    }
}
