import NephosRunner

/// Where a browser sees the pages of this server.
///
/// An IP address cannot be a relying party: on a local machine, pages are at `localhost`, where passkeys work. The connection is
/// the same, and the browser's `Host` header shows which of the two names it used.
struct PagePlace: Sendable, Equatable {
    let origin: WebOrigin
    /// The path below which they are (``PublicURL/path``).
    let base: String
    /// Where the page should be instead; nil if it is in the right place.
    let elsewhere: WebOrigin?

    init(origin: WebOrigin, base: String = "") { (self.origin, self.base, elsewhere) = (origin, base, nil) }

    /// - Returns: nil if the server has no valid web origin.
    init?(of request: RawRequest, publicURL: PublicURL?, _ party: RelyingParty?) {
        guard let origin = WebOrigin(publicURL?.origin ?? request.origin) else { return nil }
        base = publicURL?.path ?? ""
        guard party == .local, let local = origin.atLocalhost else {
            (self.origin, elsewhere) = (origin, nil)
            return
        }
        // Some proxies leave out the port.
        let isThere =
            request.host == local.authority || request.host == local.host || request.headers[.origin] == [local.text]
        self.origin = isThere ? local : origin
        // Others replace the name: then it is unknown which one the browser used, and a redirect could never end.
        let isUnknown = request.peer.isProxy && request.host != origin.authority
        elsewhere = isThere || isUnknown ? nil : local
    }

    /// Redirects to the same address there, with its query; nil if the page is in the right place.
    func redirect(_ request: RawRequest, endpoint: String) -> RawResponse? {
        guard let elsewhere, request.method != .post else { return nil }
        var answer = RawResponse(
            status: 303, contentType: "text/plain", body: [],
            headers: [("Location", elsewhere.text + base + request.target), ("Cache-Control", "no-store")],
            endpoint: endpoint)
        answer.isForAllOrigins = false
        return answer
    }

    /// The beginning of the URLs of pages, which is that of all URLs of this server, but at `localhost`, where passkeys work.
    ///
    /// - Parameter url: Without a slash at its end.
    static func pages(at url: String, _ party: RelyingParty?) -> String {
        guard party == .local, let parts = PublicURL(url), let local = WebOrigin(parts.origin)?.atLocalhost else {
            return url
        }
        return local.text + parts.path
    }
}
