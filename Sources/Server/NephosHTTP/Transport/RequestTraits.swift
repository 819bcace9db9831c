import NIOHTTP1
import NephosRunner

/// The headers of a request that the connection needs, found in one pass.
struct RequestTraits {
    var headerBytes = 0
    /// nil without a Content-Length; Int.max for a larger one. The decoder has refused contradictory and malformed ones.
    var contentLength: Int?
    /// Whether the body is sent compressed, or in any other coding than chunks.
    var isEncoded = false
    var expectsContinue = false
    var acceptsGzip = false
    /// The client offers another protocol (`Upgrade`, CONNECT). The decoder reads no request after such a one.
    var endsConnection: Bool
    var keepsAlive: Bool
    var isHEAD: Bool
    /// HTTP/1.0 clients need a header when the connection is kept alive; others do not.
    var isHTTP10: Bool
    /// Whether a header says that a proxy passes on the request.
    var namesProxy = false
    var host: String?

    init(_ head: HTTPRequestHead) {
        endsConnection = head.method == .CONNECT
        keepsAlive = head.isKeepAlive
        isHEAD = head.method == .HEAD
        isHTTP10 = head.version == .http1_0
        for (name, value) in head.headers {
            headerBytes += name.utf8.count + value.utf8.count
            note(name, value)
        }
    }

    /// Names are compared only if the length matches, which is one header in five.
    private mutating func note(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 3 where name.isEqualIgnoringCase(to: "via"): namesProxy = true
        case 4 where name.isEqualIgnoringCase(to: "host"): host = value
        case 9 where name.isEqualIgnoringCase(to: "forwarded") || name.isEqualIgnoringCase(to: "x-real-ip"):
            namesProxy = true
        case 6 where name.isEqualIgnoringCase(to: "expect"):
            expectsContinue = value.isEqualIgnoringCase(to: "100-continue")
        case 7 where name.isEqualIgnoringCase(to: "upgrade"):
            endsConnection = true
        case 14 where name.isEqualIgnoringCase(to: "content-length"):
            contentLength = Int(value) ?? .max
        case 15 where name.isEqualIgnoringCase(to: "accept-encoding"):
            acceptsGzip = acceptsGzip || RequestTraits.allowsGzip(value)
        case 16 where name.isEqualIgnoringCase(to: "content-encoding"),
            17 where name.isEqualIgnoringCase(to: "transfer-encoding"):
            isEncoded = isEncoded || RequestTraits.namesCoding(value)
        case 12... where name.beginsForwarded:
            namesProxy = true
        default:
            break
        }
    }

    /// Whether a Content-Encoding or Transfer-Encoding names a coding that changes the bytes of a body.
    private static func namesCoding(_ value: String) -> Bool {
        value.split(separator: ",").contains { coding in
            let name = coding.filter { $0 != " " && $0 != "\t" }.lowercased()
            return !["", "identity", "chunked"].contains(name)
        }
    }

    /// Whether an Accept-Encoding names `gzip` or `*` without forbidding it by `q=0`.
    private static func allowsGzip(_ value: String) -> Bool {
        // The value nearly all clients start with.
        if value.hasPrefix("gzip,") || value == "gzip" { return true }
        return value.split(separator: ",").contains { offer in
            let parts = offer.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let coding = parts.first, ["gzip", "x-gzip", "*"].contains(coding) else { return false }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
            return quality.map { (Double($0.dropFirst(2)) ?? 0) > 0 } ?? true
        }
    }
}
