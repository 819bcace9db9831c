import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// That an app asks somebody to sign in: what the address in a 421 carries, sealed under the key of its container and environment.
struct SignInRequest: Sendable, Equatable {
    /// CloudKit JS asks for a new address every 14 minutes while its button is shown.
    static let lifetime: Milliseconds = 30 * 60_000
    private static let hashBytes = 32

    var expiresAt: Milliseconds
    /// Hash of the API token.
    var token: [UInt8]
    /// Of the page that asked; nil where it was no page, or one without an origin: it cannot be answered by a message.
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

    /// - Throws: ``Refusal/tokenInvalid(_:)`` for what this container and environment has not made.
    init(_ text: String, key: [UInt8]) throws(Refusal) {
        var content = TokenContent(reading: try SealedToken.open(inURL: text, for: .signIn, key: key))
        expiresAt = try content.next()
        token = Array(content.rest.prefix(Self.hashBytes))
        origin = WebOrigin(String(decoding: content.rest.dropFirst(Self.hashBytes), as: UTF8.self))
    }

    // MARK: In addresses

    static let path = "/sign-in"

    /// Where the person of a call signs in that was refused for want of one; nil where its container is not remembered, or nobody may.
    ///
    /// On somebody's own machine it is `localhost`, where passkeys can be (``PagePlace``): the message then comes from the origin that
    /// the app was told.
    static func url(for call: Call, _ runner: Runner, _ party: RelyingParty?) -> String? {
        guard let catalog = runner.memory(of: call.tenant).catalog, let token = call.query.apiToken else { return nil }
        let request = SignInRequest(
            expiresAt: call.request.arrivedAt + lifetime, token: APIToken.hash(String(token)),
            origin: call.request.headers.first(.origin).flatMap { WebOrigin($0) })
        return origin(for: call, party) + target(of: call.tenant, request.sealed(key: catalog.head.signingKey))
    }

    /// Where the pages of this server are for whoever makes a call.
    static func origin(for call: Call, _ party: RelyingParty?) -> String {
        let local = party == .local ? WebOrigin(call.publicURL)?.atLocalhost : nil
        return local?.text ?? call.publicURL
    }

    /// Container, environment and seal that the parameters of an address name; nil where it names none.
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
