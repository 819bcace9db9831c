import Crypto
package import NephosStorage

/// Computes the address of a content that arrives in pieces; how it is split makes no difference.
///
/// The address is HMAC-SHA256, with the tenant's key, of the database's number, as 8 big-endian bytes, and the content. So equal
/// contents of one database share a file, and addresses in one database reveal nothing about another.
package struct AssetHasher: Sendable {
    private var code: HMAC<SHA256>

    /// - Parameter key: The tenant's, secret; 32 random bytes.
    package init(key: [UInt8], database: DatabaseNumber) {
        code = HMAC(key: SymmetricKey(data: key))
        let number = UInt64(bitPattern: database)
        code.update(data: (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) })
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { code.update(data: bytes) }
    package mutating func update(_ bytes: [UInt8]) { code.update(data: bytes) }

    /// The address of all bytes so far. More may follow.
    package func finalize() -> AssetAddress { AssetAddress(code: code.finalize()) }
}
