import CloudKitWire
package import NephosDomain
package import NephosStorage

/// One request to an endpoint, while it is processed. A class, because it is passed around.
package final class Call: Sendable {
    package let request: RawRequest
    package let path: EndpointPath
    package let query: RequestQuery
    /// The client understands the extra keys (`X-Nephos-Client: 1`).
    package let wantsExtras: Bool
    private let configuredURL: PublicURL?

    /// - Parameter publicURL: nil if none is configured.
    init(_ request: RawRequest, path: EndpointPath, publicURL: PublicURL?) {
        self.request = request
        self.path = path
        let target = request.target
        let mark = target.utf8.place(of: UInt8(ascii: "?"))
        var query = RequestQuery(mark.map { target[target.utf8.index(after: $0)...] } ?? "")
        // OFREP clients send a token this way; CloudKit's never do.
        if query.apiToken == nil, case .container = path.endpoint.home, path.endpoint.bearers == nil {
            query.apiToken = request.headers.bearer ?? request.headers.apiKey
        }
        self.query = query
        wantsExtras = request.headers.first(.client) == "1"
        configuredURL = publicURL
    }

    var endpoint: Endpoint { path.endpoint }
    package var tenant: Tenant { path.tenant }

    /// Whether the request is signed with a server-to-server key.
    var isSigned: Bool { request.headers.contains(.keyID) }

    /// The credentials that the request contains.
    func credentials(signatureWindow: Milliseconds) -> Credentials {
        Credentials(
            apiToken: query.apiToken.map(String.init), webAuthToken: query.webAuthToken.map(String.init),
            signed: signed, signatureWindow: signatureWindow)
    }

    /// Where clients reach this server: the beginning of all URLs in a response, without a slash at its end.
    package var publicURL: String { configuredURL?.text ?? request.origin }

    /// Whether ``publicURL`` is what the headers of this request say: then it is for the sender of this request alone.
    var isReachedAsHeadersSay: Bool { configuredURL == nil && request.peer.isProxy }

    private var signed: SignedRequest? {
        guard let keyID = request.headers.first(.keyID) else { return nil }
        return SignedRequest(
            keyID: keyID, date: request.headers.first(.signatureDate) ?? "",
            signature: request.headers.first(.signature) ?? "",
            target: request.target, body: request.body[...], base: configuredURL?.path ?? "")
    }

    /// The database that the request is about. Endpoints of devices have none and also serve server keys, so they count as public, as do
    /// endpoints of containers and files.
    package var scope: DatabaseScope {
        switch path.endpoint.home {
        case .database(let usual): path.scope ?? usual
        case .device, .container, .files: .public
        }
    }
}
