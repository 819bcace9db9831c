import CloudKitWire
import Crypto
public import NephosStorage

/// Names a signed-in person to a tenant, sent as `ckWebAuthToken` or `ckSession`.
///
/// Base64url, without padding, of: version byte 1, session id (16 bytes), nonce (8 bytes), and HMAC-SHA256 under the
/// session's secret of all before it. A new nonce makes a new token, so rotation writes nothing; every token of a
/// live session is valid.
public enum WebAuthToken {
    private static let version: UInt8 = 1
    private static let signedBytes = 1 + 16 + 8

    /// Makes tokens of one session. What all of them share is computed once, since every answer carries one.
    public struct Issuer: Sendable {
        /// Version and session id.
        private let head: [UInt8]
        /// The code under the session's secret, of the head so far.
        private let code: HMAC<SHA256>

        /// nil where the session's secret could not be opened.
        public init?(_ session: SessionRow) {
            guard let secret = session.secret.bytes, !secret.isEmpty else { return nil }
            head = [version] + session.id
            var code = HMAC<SHA256>(key: SymmetricKey(data: secret))
            code.update(data: head)
            self.code = code
        }

        /// - Parameter nonce: Anything; tokens differ as their nonces do.
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

    /// A token of the session; nil where its secret could not be opened, or is empty.
    ///
    /// - Parameter nonce: Anything; tokens differ as their nonces do.
    public static func issue(for session: SessionRow, nonce: UInt64) -> String? {
        Issuer(session)?.token(nonce: nonce)
    }

    /// The session a token claims to belong to; nil when it is no token of ours. Proves nothing.
    public static func sessionID(of token: String) -> [UInt8]? {
        guard let bytes = decoded(token) else { return nil }
        return Array(bytes[1..<17])
    }

    /// Whether the session's secret made this token.
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
