import CloudKitWire
import NephosDomain
import NephosStorage

/// One request to an endpoint, on its way to an answer. A class, since it goes from hand to hand.
final class Call: Sendable {
    let request: RawRequest
    let path: RequestPath
    let query: RequestQuery
    /// The client understands the extra keys (`X-Nephos-Client: 1`).
    let wantsExtras: Bool
    /// Where clients reach this server, if it was told: scheme and authority.
    private let configuredURL: String?

    init(_ request: RawRequest, path: RequestPath, publicURL: String?) {
        self.request = request
        self.path = path
        let target = request.target
        let mark = target.utf8.place(of: UInt8(ascii: "?"))
        query = RequestQuery(mark.map { target[target.utf8.index(after: $0)...] } ?? "")
        wantsExtras = request.headers.first(.client) == "1"
        configuredURL = publicURL
    }

    var endpoint: Endpoint { path.endpoint }

    /// Whether the request is signed with a server-to-server key.
    var isSigned: Bool { request.headers.contains(.keyID) }

    /// What the request says of its sender.
    func credentials(signatureWindow: Milliseconds) -> Credentials {
        Credentials(
            apiToken: query.apiToken.map(String.init), webAuthToken: query.webAuthToken.map(String.init),
            signed: Self.signed(request), signatureWindow: signatureWindow)
    }

    /// Where clients reach this server: scheme and authority.
    var publicURL: String { configuredURL ?? request.origin }

    private static func signed(_ request: RawRequest) -> SignedRequest? {
        guard let keyID = request.headers.first(.keyID) else { return nil }
        return SignedRequest(
            keyID: keyID, date: request.headers.first(.signatureDate) ?? "",
            signature: request.headers.first(.signature) ?? "",
            target: request.target, body: request.body[...])
    }

    /// Zone endpoints without a database segment mean the private database; a client in the field sends them so.
    /// Users are looked up in public.
    var scope: DatabaseScope {
        // A device belongs to no database, and keys have some too.
        if endpoint.isOfDevice { return .public }
        if let scope = path.scope { return scope }
        switch endpoint {
        case .usersCaller, .usersCurrent: return .public
        default: return .private
        }
    }
}
