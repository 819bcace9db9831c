public import CloudKitWire
public import NephosStorage

/// The caller of a request.
public enum Caller: Sendable {
    /// An app without a signed-in person: API token only.
    case anonymous
    /// A person, signed in.
    case person(SessionRow)
    /// A server-to-server key, which is a user of its own.
    case serverKey(UserID)
    /// The operator of the server, by command: may do everything in the public database, regardless of grants.
    case administrator

    /// The user that the caller acts as; nil if there is none.
    public var user: UserID? {
        switch self {
        case .anonymous: nil
        case .person(let session): session.user
        case .serverKey(let user): user
        case .administrator: .server
        }
    }

    /// The session of a signed-in person.
    public var session: SessionRow? { if case .person(let session) = self { session } else { nil } }

    /// The user that the caller is, if it is one.
    var person: UserID? { isAdministrator ? nil : user }

    /// Whether grants are ignored.
    var isAdministrator: Bool {
        if case .administrator = self { return true }
        return false
    }
}

/// The credentials in a request. They prove nothing until ``authenticate(catalog:session:now:)``.
public struct Credentials: Sendable {
    public var apiToken: String?
    public var webAuthToken: String?
    public var signed: SignedRequest?
    /// How far the date of a signed request may differ from the server's clock, in both directions.
    public var signatureWindow: Milliseconds

    public init(
        apiToken: String?, webAuthToken: String?, signed: SignedRequest?, signatureWindow: Milliseconds = 600_000
    ) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.signed = signed
        self.signatureWindow = signatureWindow
    }

    /// The session row that ``authenticate(catalog:session:now:)`` needs; nil if none is named.
    public var sessionID: [UInt8]? { signed == nil ? webAuthToken.flatMap(WebAuthToken.sessionID(of:)) : nil }

    /// The refusal for credentials that are not known here: the same for a container that does not exist as for any other, so
    /// that nobody learns which containers exist.
    public var unknown: Refusal {
        if signed != nil {
            return .authenticationFailed(
                "Authentication failed: unknown key id for this container and environment: check the path, or register the key with nephos key create"
            )
        }
        guard apiToken != nil else {
            return .authenticationFailed(
                "no auth method found: send an API token in the query, ?ckAPIToken=TOKEN, or sign the request with a key"
            )
        }
        return .authenticationFailed(
            "Authentication failed: unknown ckAPIToken for this container and environment: check the path, or create one with nephos token create"
        )
    }

    /// Whether the catalog has the API token, or the id of the key. That proves little: a key id is no secret, and an API token
    /// is in every copy of its app.
    public func areRecognized(by catalog: Catalog) -> Bool {
        if let signed { return catalog.keys[signed.keyID]?.revokedAt == 0 }
        return apiToken.flatMap { catalog.tokens[APIToken.hash($0)] }?.revokedAt == 0
    }

    /// Authenticates the caller. A signature is preferred to tokens; a web auth token also needs an API token.
    ///
    /// - Throws: ``Refusal/authenticationFailed(_:)`` for credentials that are missing or wrong;
    ///   ``Refusal/authenticationRequired`` for a web auth token that is wrong or expired, so that clients sign in again.
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
            throw .authenticationFailed("Authentication failed: the date must have the form YYYY-MM-DDTHH:MM:SSZ")
        }
        guard abs(date - now) <= signatureWindow else {
            throw .authenticationFailed(
                "Authentication failed: the request's date differs from the server's clock by more than "
                    + "\(signatureWindow / 60_000) minutes: set your clock")
        }
        guard signed.isSigned(by: key.publicKey) else {
            throw .authenticationFailed(
                "Authentication failed: the signature does not match: sign DATE:BASE64(SHA-256 of the body):PATH with the "
                    + "private half of the key that the key id names")
        }
        return .serverKey(key.user)
    }
}

extension UserID {
    /// The creator of records that no user creates: the operator of the server, by command. Has no user record.
    public static let server = UserID(high: 0, low: 0)
}
