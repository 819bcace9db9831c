import NephosRunner

/// The origin at which a browser sees a page of this server.
///
/// An IP address cannot be a relying party: on a local machine, pages are at `localhost`, where passkeys work. The connection is
/// the same, and the browser's `Host` header shows which of the two names it used.
struct PagePlace: Sendable, Equatable {
    let origin: WebOrigin
    /// Where the page should be instead; nil if it is in the right place.
    let elsewhere: WebOrigin?

    /// - Returns: nil if the server has no valid web origin.
    init?(of request: RawRequest, publicURL: String?, _ party: RelyingParty?) {
        guard let origin = WebOrigin(publicURL ?? request.origin) else { return nil }
        let other = party == .local ? origin.atLocalhost : nil
        let isThere = other.map { request.headers[.host] == [$0.authority] } ?? false
        self.origin = isThere ? other ?? origin : origin
        elsewhere = isThere ? nil : other
    }

    /// Redirects to the same address there, with its query; nil if the page is in the right place.
    func redirect(_ request: RawRequest, endpoint: String) -> RawResponse? {
        guard let elsewhere, request.method != .post else { return nil }
        var answer = RawResponse(
            status: 303, contentType: "text/plain", body: [],
            headers: [("Location", elsewhere.text + request.target), ("Cache-Control", "no-store")], endpoint: endpoint)
        answer.isForAllOrigins = false
        return answer
    }
}
