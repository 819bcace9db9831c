import Crypto

/// A signing key like those that Apple issues, for one test.
package struct TestKey: Sendable {
    package let teamID = "TEAM123456"
    package let keyID = "KEY1234567"
    /// The text of a .p8 file.
    package let pem: String
    private let publicKey: P256.Signing.PublicKey

    package init() {
        let key = P256.Signing.PrivateKey()
        pem = key.pemRepresentation
        publicKey = key.publicKey
    }

    /// The claims of a request's provider token; nil unless this key signed it, with ES256.
    package func claims(of request: RecordedRequest) -> TokenClaims? {
        guard let header = request.header("authorization"), header.hasPrefix("bearer ") else { return nil }
        return TokenClaims(token: String(header.dropFirst("bearer ".count)), key: publicKey)
    }
}
