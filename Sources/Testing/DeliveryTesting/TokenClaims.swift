import Crypto
import Foundation

/// The claims of a provider token. Parsed with Foundation, independently of the code under test.
package struct TokenClaims: Sendable, Equatable {
    package let algorithm: String
    package let keyID: String
    package let teamID: String
    /// Seconds since 1970.
    package let issuedAt: Int64

    /// nil unless `key` signed the token.
    init?(token: String, key: P256.Signing.PublicKey) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Self.decode(parts[2]),
            let signed = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signed, for: Data("\(parts[0]).\(parts[1])".utf8)),
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let algorithm = header["alg"] as? String, let keyID = header["kid"] as? String,
            let teamID = claims["iss"] as? String, let issuedAt = claims["iat"] as? Int64
        else { return nil }
        self.algorithm = algorithm
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
    }

    private static func object(_ part: Substring) -> [String: Any]? {
        guard let bytes = decode(part) else { return nil }
        return (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any]
    }

    private static func decode(_ part: Substring) -> Data? {
        guard !part.contains(where: { $0 == "=" || $0 == "+" || $0 == "/" }) else { return nil }
        let digits = part.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return Data(base64Encoded: String(digits) + String(repeating: "=", count: (4 - digits.count % 4) % 4))
    }
}
