import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// An app's request that somebody sign in: what the address in a 421 carries, sealed with the key of its container and
/// environment.
struct SignInRequest: Sendable, Equatable {
    /// CloudKit JS requests a new address every 14 minutes while its button is shown.
    static let lifetime: Milliseconds = 30 * 60_000
    private static let hashBytes = 32

    var expiresAt: Milliseconds
    /// Hash of the API token.
    var token: [UInt8]
    /// The origin of the page that asked; nil if it was not a page, or has no origin: then it cannot receive a message.
    var origin: WebOrigin?

    init(expiresAt: Milliseconds, token: [UInt8], origin: WebOrigin?) {
        (self.expiresAt, self.token, self.origin) = (expiresAt, token, origin)
    }

    func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        content.append(expiresAt)
        return SealedToken.sealInURL(
            content.bytes + token + Array((origin?.text ?? "").utf8), for: .signIn, key: key)
    }

    /// - Throws: ``Refusal/tokenInvalid(_:)`` for a request that was not sealed by this container and environment.
    init(_ text: String, key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.open(inURL: text, for: .signIn, key: key))
        expiresAt = try content.next()
        token = Array(content.rest.prefix(Self.hashBytes))
        origin = WebOrigin(String(decoding: content.rest.dropFirst(Self.hashBytes), as: UTF8.self))
    }

    // MARK: In addresses

    static let path = "/sign-in"

    /// Where the person signs in after a call was refused because nobody is signed in; nil if the container is not in memory, or
    /// the call has no API token.
    ///
    /// On a local machine it is `localhost`, where passkeys work (``PagePlace``): the message then comes from the origin that the
    /// app was given.
    static func url(for call: Call, _ runner: Runner, _ party: RelyingParty?) -> String? {
        guard let catalog = runner.memory(of: call.tenant).catalog, let token = call.query.apiToken else { return nil }
        let request = SignInRequest(
            expiresAt: call.request.arrivedAt + lifetime, token: APIToken.hash(String(token)),
            origin: call.request.headers.first(.origin).flatMap { WebOrigin($0) })
        return pages(for: call, party) + target(of: call.tenant, request.sealed(key: catalog.head.signingKey))
    }

    /// The beginning of the URLs of this server's pages, for the client that makes a call.
    static func pages(for call: Call, _ party: RelyingParty?) -> String { PagePlace.pages(at: call.publicURL, party) }

    /// The container, environment and seal in an address's parameters; nil if they are missing.
    static func place(in parameters: RequestParameters) -> (tenant: Tenant, sealed: String)? {
        guard let container = parameters.value(of: "container"), let sealed = parameters.value(of: "request"),
            let environment = parameters.value(of: "environment").flatMap({ Environment(rawValue: $0) })
        else { return nil }
        return (Tenant(container: container, environment: environment), sealed)
    }

    static func target(of tenant: Tenant, _ sealed: String) -> String {
        "\(path)?container=\(PercentCoding.encode(tenant.container))&environment=\(tenant.environment.rawValue)"
            + "&request=\(sealed)"
    }
}
