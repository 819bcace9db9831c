public import CloudKitWire
public import NephosStorage

/// Who asks.
public enum Caller: Sendable {
    /// An app without a signed-in person: API token only.
    case anonymous
    /// A person, signed in.
    case person(SessionRow)
    /// A server-to-server key, which is a user of its own.
    case serverKey(UserID)
    /// Whoever runs the server, by the command: may do everything in the public database, whatever is granted.
    case administrator

    /// The user the caller acts as; nil without one.
    public var user: UserID? {
        switch self {
        case .anonymous: nil
        case .person(let session): session.user
        case .serverKey(let user): user
        case .administrator: .server
        }
    }

    /// The session by which a person is let in.
    public var session: SessionRow? { if case .person(let session) = self { session } else { nil } }

    /// The user the caller is, where it is one.
    var person: UserID? { isAdministrator ? nil : user }

    /// Whether grants do not matter.
    var isAdministrator: Bool {
        if case .administrator = self { return true }
        return false
    }
}

/// What a request says of itself. Proves nothing until ``authenticate(catalog:session:now:)``.
public struct Credentials: Sendable {
    public var apiToken: String?
    public var webAuthToken: String?
    public var signed: SignedRequest?
    /// How far the date of a signed request may be from the server's clock, both ways.
    public var signatureWindow: Milliseconds

    public init(
        apiToken: String?, webAuthToken: String?, signed: SignedRequest?, signatureWindow: Milliseconds = 600_000
    ) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.signed = signed
        self.signatureWindow = signatureWindow
    }

    /// The session row that ``authenticate(catalog:session:now:)`` needs to see; nil when none is named.
    public var sessionID: [UInt8]? { signed == nil ? webAuthToken.flatMap(WebAuthToken.sessionID(of:)) : nil }

    /// What somebody is told whose credentials are not known here: of a container that is not there as of any other, so that
    /// nobody learns which there are.
    public var unknown: Refusal {
        if signed != nil {
            return .authenticationFailed("Authentication failed: unknown key id for this container and environment")
        }
        guard apiToken != nil else {
            return .authenticationFailed("no auth method found: send ckAPIToken, or sign the request with a key")
        }
        return .authenticationFailed("Authentication failed: unknown ckAPIToken for this container and environment")
    }

    /// Whether the API token, or the id of the key, is one of this catalog. That proves little: a key id is no secret, and an
    /// API token is in every copy of its app.
    public func areRecognized(by catalog: Catalog) -> Bool {
        if let signed { return catalog.keys[signed.keyID]?.revokedAt == 0 }
        return apiToken.flatMap { catalog.tokens[APIToken.hash($0)] }?.revokedAt == 0
    }

    /// Tells who asks. A signature is preferred to tokens; a web token needs an API token beside it.
    ///
    /// - Throws: ``Refusal/authenticationFailed(_:)`` for credentials that are missing or wrong;
    ///   ``Refusal/authenticationRequired`` for a web token that is wrong or expired, so that clients sign in again.
    public func authenticate(
        catalog: Catalog, session: SessionRow?, now: Milliseconds
    ) throws(Refusal) -> Caller {
        if let signed { return try authenticate(signed, catalog: catalog, now: now) }
        guard let apiToken, let token = catalog.tokens[APIToken.hash(apiToken)], token.revokedAt == 0 else {
            throw unknown
        }
        guard let webAuthToken else { return .anonymous }
        guard let session, session.isLive(at: now), WebAuthToken.isValid(webAuthToken, for: session) else {
            throw .authenticationRequired
        }
        return .person(session)
    }

    private func authenticate(
        _ signed: SignedRequest, catalog: Catalog, now: Milliseconds
    ) throws(Refusal) -> Caller {
        guard let key = catalog.keys[signed.keyID], key.revokedAt == 0 else { throw unknown }
        guard let date = ISO8601.milliseconds(signed.date) else {
            throw .authenticationFailed("Authentication failed: the date must read YYYY-MM-DDTHH:MM:SSZ")
        }
        guard abs(date - now) <= signatureWindow else {
            throw .authenticationFailed(
                "Authentication failed: the date is more than \(signatureWindow / 60_000) minutes from the server's")
        }
        guard signed.isSigned(by: key.publicKey) else {
            throw .authenticationFailed("Authentication failed: the signature does not fit")
        }
        return .serverKey(key.user)
    }
}

extension UserID {
    /// Who creates what nobody in particular creates: whoever runs the server, by the command. Has no user record.
    public static let server = UserID(high: 0, low: 0)
}
