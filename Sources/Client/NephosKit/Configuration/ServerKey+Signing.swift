import CloudKitWire
import Crypto
import Foundation

extension ServerKey {
    /// Returns the headers that sign a request (docs/protocol.md, K1 to K3).
    ///
    /// - Parameter path: The path of the URL, percent-encoded as it is sent, without the query.
    /// - Throws: The crypto library's error if ``pem`` is not a valid private key.
    func headers(path: String, body: Data, now: Date = Date()) throws -> [String: String] {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        let date = ISO8601.text(Int64(now.timeIntervalSince1970 * 1_000))
        let hash = Data(SHA256.hash(data: body)).base64EncodedString()
        let signature = try key.signature(for: Data("\(date):\(hash):\(path)".utf8))
        return [
            "X-Apple-CloudKit-Request-KeyID": keyID, "X-Apple-CloudKit-Request-ISO8601Date": date,
            "X-Apple-CloudKit-Request-SignatureV1": signature.derRepresentation.base64EncodedString(),
        ]
    }
}
