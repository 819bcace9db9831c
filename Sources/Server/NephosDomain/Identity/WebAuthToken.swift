import CloudKitWire
import Crypto
public import NephosStorage

/// Identifies a signed-in person to a tenant, sent as `ckWebAuthToken` or `ckSession`.
///
/// Base64url, without padding, of: version byte 1, session id (16 bytes), nonce (8 bytes), and an HMAC-SHA256 of all of that with
/// the session's secret. A new nonce makes a new token, so rotation writes nothing; every token of a live session is valid.
public enum WebAuthToken {
    private static let version: UInt8 = 1
    private static let signedBytes = 1 + 16 + 8

    /// Issues tokens of one session. The part that all of them share is computed once, because every answer contains one.
    public struct Issuer: Sendable {
        /// Version and session id.
        private let head: [UInt8]
        /// The HMAC state with the session's secret, after the head.
        private let code: HMAC<SHA256>

        /// nil if the session's secret could not be decrypted.
        public init?(_ session: SessionRow) {
            guard let secret = session.secret.bytes, !secret.isEmpty else { return nil }
            head = [version] + session.id
            var code = HMAC<SHA256>(key: SymmetricKey(data: secret))
            code.update(data: head)
            self.code = code
        }

        /// - Parameter nonce: Any number; different nonces give different tokens.
        public func token(nonce: UInt64) -> String {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(signedBytes + 32)
            bytes += head
            var code = code
            withUnsafeBytes(of: nonce.bigEndian) {
                bytes.append(contentsOf: $0)
                code.update(data: $0)
            }
            bytes.append(contentsOf: code.finalize())
            return Base64.text(bytes, .urlSafe)
        }
    }

    /// A token of the session; nil if its secret could not be decrypted, or is empty.
    ///
    /// - Parameter nonce: Any number; different nonces give different tokens.
    public static func issue(for session: SessionRow, nonce: UInt64) -> String? {
        Issuer(session)?.token(nonce: nonce)
    }

    /// The session that a token claims to belong to; nil if it is not a token of this format. Proves nothing.
    public static func sessionID(of token: String) -> [UInt8]? {
        guard let bytes = decoded(token) else { return nil }
        return Array(bytes[1..<17])
    }

    /// Whether the token was issued with the session's secret.
    public static func isValid(_ token: String, for session: SessionRow) -> Bool {
        guard let bytes = decoded(token), session.id.elementsEqual(bytes[1..<17]), let secret = session.secret.bytes,
            !secret.isEmpty
        else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            bytes[signedBytes...], authenticating: bytes[..<signedBytes], using: SymmetricKey(data: secret))
    }

    private static func decoded(_ token: String) -> [UInt8]? {
        guard let bytes = Base64.bytes(exactly: token, .urlSafe), bytes.count == signedBytes + 32, bytes[0] == version
        else { return nil }
        return bytes
    }
}
