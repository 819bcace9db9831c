public import CloudKitWire
public import NephosStorage

/// The credentials by which a caller was admitted. Everything created for the caller that outlives the request carries it and
/// ends with it: tickets and links of files, devices.
///
/// A server-to-server key is not part of it, because it is a user of its own and is known by that.
public struct Admission: Sendable, Hashable {
    /// SHA-256 of the API token; empty if there is none.
    public var token: [UInt8]
    /// The id of the session; empty if there is none.
    public var session: [UInt8]

    public init(token: [UInt8] = [], session: [UInt8] = []) {
        self.token = token
        self.session = session
    }

    /// What ``check(_:of:_:now:)`` must read.
    public var reading: ReadSet {
        var set = ReadSet()
        if let session = scan { set.ask(session) }
        return set
    }

    /// - Parameters:
    ///   - what: What was created with it, for the reason.
    ///   - user: The user for whom it was created.
    /// - Throws: ``Refusal/authenticationFailed(_:)`` if one of the credentials was revoked, or has expired.
    public func check(_ what: String, of user: UserID?, _ reading: Reading, now: Milliseconds) throws(Refusal) {
        try check(what, of: user, catalog: reading.catalog, session: scan.flatMap { reading[$0].first }, now: now)
    }

    private var scan: Scan<SessionRow>? { session.isEmpty ? nil : SessionRow.keyed([session]) }

    /// - Parameter stored: The session that it names.
    package func check(
        _ what: String, of user: UserID?, catalog: Catalog, session stored: SessionRow?, now: Milliseconds
    ) throws(Refusal) {
        if let user, catalog.isRevokedKey(user) {
            throw .authenticationFailed("the key that created \(what) was revoked")
        }
        guard token.isEmpty || catalog.tokens[token]?.revokedAt == 0 else {
            throw .authenticationFailed("the API token that created \(what) was revoked")
        }
        guard session.isEmpty || stored?.isLive(at: now) == true else {
            throw .authenticationFailed("the session that created \(what) has ended: sign in again")
        }
    }
}

extension Credentials {
    /// The admission of a caller with these credentials.
    public var admission: Admission {
        guard signed == nil else { return Admission() }
        return Admission(token: apiToken.map(APIToken.hash) ?? [], session: sessionID ?? [])
    }

    /// The credentials that a caller with these credentials has used.
    public var used: [CredentialKey] {
        if let signed { return [CredentialKey(.key, Array(signed.keyID.utf8))] }
        return admission.used
    }
}

extension Admission {
    public var used: [CredentialKey] {
        (token.isEmpty ? [] : [CredentialKey(.token, token)])
            + (session.isEmpty ? [] : [CredentialKey(.session, session)])
    }
}

extension TokenContent {
    mutating func append(_ admission: Admission) {
        append(bytes: [UInt8(admission.token.count), UInt8(admission.session.count)])
        append(bytes: admission.token)
        append(bytes: admission.session)
    }

    mutating func nextAdmission() throws(Refusal) -> Admission {
        let counts = try next(2).map { Int($0) }
        let token = try next(counts[0])
        return Admission(token: Array(token), session: Array(try next(counts[1])))
    }
}
