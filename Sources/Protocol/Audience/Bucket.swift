import CloudKitWire

/// Where somebody stands among 100,000: the same for the same salt and key wherever it is computed, and independent between salts.
///
/// `bucket = (xxHash64(UTF-8 of salt + "/" + targetingKey) >> 32) * 100000 >> 32` (docs/audiences.md, "Percentages").
public struct Bucket: Sendable, Equatable {
    /// So many there are: a thousandth of a percent each.
    public static let count = 100_000

    private let prefix: [UInt8]

    /// - Parameter salt: By what draws differ: the id of a flag unless it says another.
    public init(salt: String) { prefix = Array("\(salt)/".utf8) }

    /// From 0 to 99,999.
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
