import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The response to a program that signs somebody in without a page (RFC 6749 §5.1).
struct SessionAnswer: Sendable {
    /// Prevents copies in caches.
    static let headers: [(name: String, value: String)] = [("Cache-Control", "no-store")]

    private let body: [UInt8]

    /// - Throws: ``Refusal/failed`` if the session's secret cannot be decrypted.
    init(_ session: SessionRow, nonce: UInt64, now: Milliseconds) throws(Refusal) {
        guard let token = WebAuthToken.issue(for: session, nonce: nonce) else { throw .failed }
        var json = JSONWriter()
        json.beginObject()
        json.member("access_token", token)
        json.member("token_type", "ckWebAuthToken")
        json.member("expires_in", (session.expiresAt - now) / 1_000)
        json.endObject()
        body = json.bytes
    }

    func answer(_ call: Call) -> RawResponse {
        RawResponse(body: body, headers: Self.headers, endpoint: call.path.endpoint.label)
    }
}
