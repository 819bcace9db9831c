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

    /// A token of the session. - Parameter nonce: Anything; tokens differ as their nonces do.
    public static func issue(for session: SessionRow, nonce: UInt64) -> String {
        var bytes: [UInt8] = [version]
        bytes.reserveCapacity(signedBytes + 32)
        bytes += session.id
        withUnsafeBytes(of: nonce.bigEndian) { bytes.append(contentsOf: $0) }
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: session.secret))
        bytes.append(contentsOf: code)
        return Base64.urlSafe(bytes)
    }

    /// The session a token claims to belong to; nil when it is no token of ours. Proves nothing.
    public static func sessionID(of token: String) -> [UInt8]? {
        guard let bytes = decoded(token) else { return nil }
        return Array(bytes[1..<17])
    }

    /// Whether the session's secret made this token.
    public static func isValid(_ token: String, for session: SessionRow) -> Bool {
        guard let bytes = decoded(token), session.id.elementsEqual(bytes[1..<17]) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            bytes[signedBytes...], authenticating: bytes[..<signedBytes], using: SymmetricKey(data: session.secret))
    }

    private static func decoded(_ token: String) -> [UInt8]? {
        guard let bytes = Base64.decode(urlSafe: token), bytes.count == signedBytes + 32, bytes[0] == version else {
            return nil
        }
        return bytes
    }
}
