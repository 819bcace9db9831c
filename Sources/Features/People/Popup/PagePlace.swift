import NephosRunner

/// Where a browser has a page of this server.
///
/// An address of the network is no relying party: on a machine of somebody's own, pages are at `localhost`, where passkeys can be.
/// The connection is the same, and of the two names the browser says which.
struct PagePlace: Sendable, Equatable {
    let origin: WebOrigin
    /// Where the page is instead; nil where it is here.
    let elsewhere: WebOrigin?

    /// - Returns: nil where the server has no origin of the web.
    init?(of request: RawRequest, publicURL: String?, _ party: RelyingParty?) {
        guard let origin = WebOrigin(publicURL ?? request.origin) else { return nil }
        let other = party == .local ? origin.atLocalhost : nil
        let isThere = other.map { request.headers[.host] == [$0.authority] } ?? false
        self.origin = isThere ? other ?? origin : origin
        elsewhere = isThere ? nil : other
    }

    /// Sends a person to the same address there, with whatever it carries; nil where they are right here.
    func redirect(_ request: RawRequest, endpoint: String) -> RawResponse? {
        guard let elsewhere, request.method != .post else { return nil }
        var answer = RawResponse(
            status: 303, contentType: "text/plain", body: [],
            headers: [("Location", elsewhere.text + request.target), ("Cache-Control", "no-store")], endpoint: endpoint)
        answer.isForAllOrigins = false
        return answer
    }
}
