/// The response to `OPTIONS`, which a browser sends before a request to another origin.
package enum Preflight {
    /// 200, not 204: every body must parse as JSON, and CloudKit JS parses it before it checks the status.
    package static let answer = RawResponse(
        body: Array("{}".utf8),
        headers: [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, OPTIONS"),
            (
                "Access-Control-Allow-Headers",
                "Content-Type, X-Apple-CloudKit-Request-KeyID, X-Apple-CloudKit-Request-ISO8601Date, "
                    + "X-Apple-CloudKit-Request-SignatureV1, X-Nephos-Client, Range, If-Range, If-Match, "
                    + "If-None-Match, Authorization, X-Nephos-Facts, X-Nephos-App, Last-Event-ID"
            ),
            ("Access-Control-Max-Age", "86400"),
            ("Allow", "GET, HEAD, POST, PUT, OPTIONS"),
        ],
        endpoint: "preflight")
}
