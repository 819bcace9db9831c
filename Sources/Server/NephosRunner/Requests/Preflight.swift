import CloudKitWire

/// The response to `OPTIONS`, which a browser sends before a request to another origin.
///
/// It permits the headers that this server reads, and any others that the browser asks for: libraries of a page, such as those
/// that trace requests, add headers to all of them, and a request with one that is not permitted is never sent. A page gains
/// nothing by them: responses to other origins never depend on cookies, and headers by which proxies speak are not permitted.
package enum Preflight {
    /// Further headers that one response permits; the rest is ignored.
    private static let othersMax = 64
    /// The maximum length of their names, in bytes.
    private static let nameBytesMax = 64

    private static let usual = [
        "Content-Type", "X-Apple-CloudKit-Request-KeyID", "X-Apple-CloudKit-Request-ISO8601Date",
        "X-Apple-CloudKit-Request-SignatureV1", "X-Nephos-Client", "Range", "If-Range", "If-Match", "If-None-Match",
        "Authorization", "X-API-Key", "X-Nephos-Facts", "X-Nephos-App", "Last-Event-ID",
    ]
    private static let usualNames = Set(usual.map { $0.lowercased() })

    /// Headers of which a server or a proxy in front of it may believe that another proxy has set them: where a request comes from,
    /// by which name, path and method. A page could reach a server in its reader's own network with them.
    private static let ofProxies: Set<String> = [
        "cf-connecting-ip", "fastly-client-ip", "forwarded", "front-end-https", "true-client-ip", "via", "x-client-ip",
        "x-cluster-client-ip", "x-host", "x-method-override", "x-real-ip",
    ]
    private static let ofProxiesBegin = [
        "proxy-", "x-envoy-", "x-forwarded", "x-http-method", "x-original-", "x-rewrite-",
    ]

    /// 200, not 204: every body must parse as JSON, and CloudKit JS parses it before it checks the status.
    package static func answer(to request: RawRequest) -> RawResponse {
        RawResponse(
            body: Array("{}".utf8),
            headers: [
                ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, OPTIONS"),
                ("Access-Control-Allow-Headers", (usual + others(request)).joined(separator: ", ")),
                ("Access-Control-Max-Age", "86400"),
                ("Allow", "GET, HEAD, POST, PUT, OPTIONS"),
            ],
            endpoint: "preflight")
    }

    /// The names that a browser asks for, in lower case as it writes them, without those that are permitted anyway.
    private static func others(_ request: RawRequest) -> [String] {
        var names: [String] = []
        for name in request.headers.list(.requestedHeaders).lazy.map({ $0.lowercased() })
        where isPermitted(name) && !names.contains(name) {
            guard names.count < othersMax else { break }
            names.append(name)
        }
        return names
    }

    private static func isPermitted(_ name: String) -> Bool {
        (1...nameBytesMax).contains(name.utf8.count) && name.utf8.allSatisfy(isOfName) && !usualNames.contains(name)
            && !ofProxies.contains(name) && !ofProxiesBegin.contains { name.hasPrefix($0) }
    }

    /// Not the whole of RFC 9110 §5.6.2: `*` in the response would permit every header.
    private static func isOfName(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "-_.".utf8.contains(byte) }
}
