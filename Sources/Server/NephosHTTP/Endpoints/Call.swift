import CloudKitWire
import NIOHTTP1
import NephosDomain
import NephosStorage

/// One request to an endpoint, on its way to an answer.
struct Call: Sendable {
    let request: RawRequest
    let target: RequestTarget
    let endpoint: Endpoint
    /// The client understands the extra keys (`X-Nephos-Client: 1`).
    let wantsExtras: Bool
    let credentials: Credentials
    /// Where clients reach this server, if it was told: scheme and authority.
    private let configuredURL: String?

    init(
        _ request: RawRequest, target: RequestTarget, endpoint: Endpoint, publicURL: String?,
        signatureWindow: Milliseconds
    ) {
        self.request = request
        self.target = target
        self.endpoint = endpoint
        wantsExtras = request.headers.first(name: "X-Nephos-Client") == "1"
        configuredURL = publicURL
        credentials = Credentials(
            apiToken: target.query.apiToken, webAuthToken: target.query.webAuthToken,
            signed: Self.signed(request), signatureWindow: signatureWindow)
    }

    /// Where clients reach this server: scheme and authority.
    var publicURL: String { configuredURL ?? "http://\(request.headers.first(name: "Host") ?? "localhost")" }

    private static func signed(_ request: RawRequest) -> SignedRequest? {
        guard let keyID = request.headers.first(name: "X-Apple-CloudKit-Request-KeyID") else { return nil }
        return SignedRequest(
            keyID: keyID, date: request.headers.first(name: "X-Apple-CloudKit-Request-ISO8601Date") ?? "",
            signature: request.headers.first(name: "X-Apple-CloudKit-Request-SignatureV1") ?? "",
            target: request.target, body: request.body[...])
    }

    /// Zone endpoints without a database segment mean the private database; a client in the field sends them so.
    /// Users are looked up in public.
    var scope: DatabaseScope {
        if let scope = target.scope { return scope }
        switch endpoint {
        case .usersCaller, .usersCurrent: return .public
        default: return .private
        }
    }
}
