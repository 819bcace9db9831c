import Crypto

/// The two strings beside `fileChecksum` that Apple's service returns outside of public databases, where it stores files
/// encrypted with keys that the client keeps. Ours protect nothing: they exist for clients that require them, and are the same
/// each time.
struct AssetSecrets {
    /// 16 bytes; nil in a public database, like the next property.
    var wrappingKey: [UInt8]?
    /// A version and 20 bytes.
    var referenceChecksum: [UInt8]?

    /// - Parameter key: The tenant's signing key.
    init(_ address: [UInt8], key: [UInt8], isPublic: Bool) {
        guard !isPublic else { return }
        wrappingKey = Self.code("asset wrapping key", address, key, count: 16)
        referenceChecksum = [1] + Self.code("asset reference checksum", address, key, count: 20)
    }

    private static func code(_ purpose: String, _ address: [UInt8], _ key: [UInt8], count: Int) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(purpose.utf8) + address, using: SymmetricKey(data: key))
        return Array(code.prefix(count))
    }
}
