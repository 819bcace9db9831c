import CloudKitWire
package import NephosRunner
package import NephosStorage

/// What a server responds at `/`: what it is, whether it is healthy, and how to begin. A page for people, and a line of JSON for
/// programs: `{"name":"nephos","version":"0.1.0","status":"ok"}`, or `"unavailable"` with 503.
///
/// It is public, so it contains no secret, and names no container except the demo.
package struct FrontPage: Sendable {
    static let path = "/"
    /// The fragment of the list of documentation.
    static let documentsID = "documentation"

    private let publicURL: PublicURL?
    private let demo: Tenant?

    /// - Parameters:
    ///   - publicURL: Where clients reach the server; nil to use what the connection reached.
    ///   - demo: The demo container.
    package init(publicURL: PublicURL?, demo: Tenant?) {
        self.publicURL = publicURL
        self.demo = demo
    }

    /// The path below which all pages are (``PublicURL/path``).
    var base: String { publicURL?.path ?? "" }

    func answer(to request: RawRequest, isHealthy: Bool) -> RawResponse {
        var answer =
            request.isFromPerson
            ? page(at: publicURL?.text ?? request.origin, isHealthy: isHealthy) : Self.line(isHealthy: isHealthy)
        answer.headers += [("Vary", "Accept"), ("Cache-Control", "no-store")]
        answer.isForAllOrigins = false
        if !isHealthy { answer.headers.append(("Retry-After", "1")) }
        return answer
    }

    private static func line(isHealthy: Bool) -> RawResponse {
        let status = isHealthy ? "ok" : "unavailable"
        return RawResponse(
            status: isHealthy ? 200 : 503,
            body: Array(#"{"name":"nephos","version":"\#(ServerVersion.current)","status":"\#(status)"}"#.utf8),
            headers: [("X-Content-Type-Options", "nosniff")], endpoint: "front")
    }

    // MARK: The page

    private func page(at url: String, isHealthy: Bool) -> RawResponse {
        let state =
            isHealthy
            ? "<b class=\"well\">It is healthy</b>: its store responds."
            : "<b class=\"ill\">It is not healthy</b>: its store does not respond. See the server's log for the reason."
        let body = """
            <h1>Nephos</h1>
            <p>A server that speaks CloudKit Web Services, version \(ServerVersion.current). \(state)</p>
            \(demo.map { Self.trial($0, at: url) } ?? Self.beginning(at: url))
            <h2 id="\(Self.documentsID)">Documentation</h2>
            <ul>
            \(Documents.all.map { "<li><a href=\"\(base)\(Documents.prefix)\($0.name)\">\($0.title.escaped)</a></li>" }
                .joined(separator: "\n"))
            </ul>
            """
        return HTMLPage(title: "Nephos", body: body).answer(status: isHealthy ? 200 : 503, endpoint: "front")
    }

    private static func trial(_ demo: Tenant, at url: String) -> String {
        let requests = FirstRequests(demo, at: url, apiToken: "$api", webAuthToken: "$web", quote: "\"")
        return """
            <h2>Try it</h2>
            <p>The container <code>\(demo.container.escaped)</code>, environment <code>\(demo.environment.rawValue)</code>, is
            for trying things out. The private database of the signed-in user has the address</p>
            <pre><code>\(requests.database.escaped)</code></pre>
            <p>The server printed an API token and a web auth token when it started. With both in variables of
            a shell, save a note, then query all notes:</p>
            <pre><code>api=<i>API token</i>
            web=<i>web auth token</i>

            \(requests.save.escaped)

            \(requests.query.escaped)</code></pre>
            """
    }

    private static func beginning(at url: String) -> String {
        """
        <h2>Begin</h2>
        <p>The operator of this server creates a container, and an API token for the app that uses it:</p>
        <pre><code>nephos container create iCloud.com.example.app
        nephos token create iCloud.com.example.app</code></pre>
        <p>The app finds its public database, and the private database of the user it signs in, at</p>
        <pre><code>\(url.escaped)/database/1/iCloud.com.example.app/development/public
        \(url.escaped)/database/1/iCloud.com.example.app/development/private</code></pre>
        """
    }
}
