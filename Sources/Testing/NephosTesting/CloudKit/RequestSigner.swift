import Crypto
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Signs requests with a server-to-server key, in any of the ways that clients use (docs/protocol.md, K1 to K5).
package struct RequestSigner: Sendable {
    /// Which part of the target is signed.
    package enum Path: Sendable, CaseIterable { case withoutQuery, withQuery }
    /// What represents an empty body in the signed text.
    package enum EmptyBody: Sendable, CaseIterable { case hash, nothing }
    /// The encoding of the signature, before base64.
    package enum Form: Sendable, CaseIterable { case der, raw }

    package var keyID: String
    package var path = Path.withoutQuery
    package var emptyBody = EmptyBody.hash
    package var form = Form.der
    /// Added to the clock before the date is written, in seconds.
    package var skewSeconds = 0
    /// Sent and signed instead of the date, if set.
    package var date: String?
    private let privateKey: P256.Signing.PrivateKey

    /// - Parameter pem: The private key, as `nephos key create --generate` writes it.
    /// - Throws: An error if the text is not a PEM encoding of a P-256 key.
    package init(keyID: String, pem: String) throws {
        self.keyID = keyID
        privateKey = try P256.Signing.PrivateKey(pemRepresentation: pem)
    }

    /// A new key that no server knows yet; the caller must set `keyID`.
    package init(keyID: String = "") {
        self.keyID = keyID
        privateKey = P256.Signing.PrivateKey()
    }

    /// The public half, as `nephos key create --public-key` takes it.
    package var publicKeyPEM: String { privateKey.publicKey.pemRepresentation }

    /// SHA-256 of the public key's uncompressed point, in hexadecimal: the server's ID of the key.
    package var fingerprint: String {
        SHA256.hash(data: privateKey.publicKey.x963Representation)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The three headers of a signed request. - Throws: An error if signing fails.
    package func headers(target: String, body: [UInt8]) throws -> [HTTPHeader] {
        let date = self.date ?? RequestSigner.date(secondsFromNow: skewSeconds)
        let hash = body.isEmpty && emptyBody == .nothing ? "" : Data(SHA256.hash(data: body)).base64EncodedString()
        let path = path == .withQuery ? target : String(target.prefix { $0 != "?" })
        let signature = try privateKey.signature(for: Data("\(date):\(hash):\(path)".utf8))
        let bytes = form == .der ? signature.derRepresentation : signature.rawRepresentation
        return [
            HTTPHeader("X-Apple-CloudKit-Request-KeyID", keyID),
            HTTPHeader("X-Apple-CloudKit-Request-ISO8601Date", date),
            HTTPHeader("X-Apple-CloudKit-Request-SignatureV1", bytes.base64EncodedString()),
        ]
    }

    /// `YYYY-MM-DDTHH:MM:SSZ`, this many seconds from now.
    package static func date(secondsFromNow skew: Int = 0) -> String {
        var seconds = time(nil) + skew
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func pad(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday))"
            + "T\(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec))Z"
    }
}
