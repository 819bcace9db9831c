import CloudKitWire
import Crypto

/// The address of an asset's content: 32 bytes derived from the content, the tenant's key and the database.
///
/// Without the key, nobody can compute the address of a content, or determine the content of an address.
package struct AssetAddress: Sendable, Hashable, CustomStringConvertible {
    package static let byteCount = 32

    /// Exactly 32.
    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// From the output of HMAC-SHA256, which always has 32 bytes.
    init(code: HMAC<SHA256>.MAC) { bytes = Array(code) }

    /// Reads 64 hexadecimal digits in lower case; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// 64 hexadecimal digits in lower case.
    package var description: String { Hexadecimal.text(bytes) }
}
