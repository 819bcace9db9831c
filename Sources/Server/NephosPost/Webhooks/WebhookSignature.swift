import CloudKitWire
import Crypto
import NephosDelivery

/// Proves to a receiver that a call is from this server, and that it is not an old one sent again.
///
/// `Nephos-Signature: t=<seconds since 1970>,v1=<hexadecimal>`, where the second is an HMAC-SHA256, with the shared secret, of
/// the time as written, a dot, and the bytes of the body.
package enum WebhookSignature {
    package static let headerName = "Nephos-Signature"

    /// The header's value. - Parameter time: Seconds since 1970.
    package static func header(body: [UInt8], secret: [UInt8], time: Int64) -> String {
        "t=\(time),v1=\(Hexadecimal.text(code(body: body, secret: secret, time: String(time)).finalize()))"
    }

    /// Whether the secret signed this body, at a time within `tolerance` of `now`. The time of the check does not depend on where
    /// a wrong signature differs.
    ///
    /// Unknown parts are skipped, and one of several `v1` must be right: while a secret is replaced, a sender signs with both.
    ///
    /// - Parameters:
    ///   - header: The value of the header `Nephos-Signature`.
    ///   - now: Seconds since 1970.
    package static func isValid(
        _ header: String, body: [UInt8], secret: [UInt8], now: Int64, tolerance: Duration = .seconds(300)
    ) -> Bool {
        let parts = header.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
        let times = parts.filter { $0[0] == "t" }.map { $0[1] }
        guard times.count == 1, let written = times.first, let time = Digits.number(written.utf8),
            tolerance >= .seconds(max(time, now)) - .seconds(min(time, now))
        else { return false }
        let expected = code(body: body, secret: secret, time: String(written)).finalize()
        // Crypto compares codes in constant time.
        return parts.contains { $0[0] == "v1" && Hexadecimal.bytes($0[1].lowercased()).map { expected == $0 } == true }
    }

    private static func code(body: [UInt8], secret: [UInt8], time: String) -> HMAC<SHA256> {
        var code = HMAC<SHA256>(key: SymmetricKey(data: secret))
        code.update(data: Array("\(time).".utf8))
        code.update(data: body)
        return code
    }
}
