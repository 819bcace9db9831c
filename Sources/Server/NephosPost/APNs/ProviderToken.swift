import CloudKitWire
import Crypto
import NephosDelivery

/// The authorization of requests to APNs: a JSON Web Token, signed with ES256, which APNs accepts for an hour.
struct ProviderToken: Sendable, Equatable {
    /// The text after `bearer ` in the header `authorization`.
    let text: String
    /// Seconds since 1970.
    let issuedAt: Int64

    /// - Throws: Crypto's error if it cannot sign.
    init(key: APNsKey, issuedAt: Int64) throws {
        self.issuedAt = issuedAt
        // The ids are letters and digits, so nothing needs escaping.
        let header = #"{"alg":"ES256","kid":"\#(key.keyID)"}"#
        let claims = #"{"iss":"\#(key.teamID)","iat":\#(issuedAt)}"#
        let signed = [header, claims].map { Base64.text(Array($0.utf8), .urlSafe) }.joined(separator: ".")
        let signature = try key.signingKey.signature(for: Array(signed.utf8))
        text = signed + "." + Base64.text(Array(signature.rawRepresentation), .urlSafe)
    }
}
