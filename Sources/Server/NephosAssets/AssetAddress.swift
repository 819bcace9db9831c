import CloudKitWire
import Crypto

/// Where the content of an asset is found: 32 bytes that follow from the content, the tenant's key and the database.
///
/// Whoever has not the key can neither make the address of a content nor tell what content an address stands for.
package struct AssetAddress: Sendable, Hashable, CustomStringConvertible {
    package static let byteCount = 32

    /// Exactly 32.
    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// What HMAC-SHA256 gives, which has 32 bytes always.
    init(code: HMAC<SHA256>.MAC) { bytes = Array(code) }

    /// Reads 64 hexadecimal digits in lower case; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// 64 hexadecimal digits in lower case.
    package var description: String { Hexadecimal.text(bytes) }
}
