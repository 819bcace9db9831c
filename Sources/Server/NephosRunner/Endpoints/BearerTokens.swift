import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Tokens that a feature creates and that open only some of its endpoints, sent as `Authorization: Bearer TOKEN`.
///
/// An endpoint that takes them takes no API token in that header. A bearer has no rights to any record: the endpoint gets
/// ``AdmittedCall/bearer`` and decides what it allows.
package struct BearerTokens: Sendable {
    /// What must be read to judge a token; nil if the text is not a token.
    package var reading: @Sendable (_ token: String) -> ReadSet?
    /// The holder of a token, given the result of that read; nil if the token is unknown or revoked. Compares in constant time.
    package var authenticate: @Sendable (_ token: String, Reading) -> Bearer?
    /// The refusal for a token that is not valid, whether the container exists or not; and for a request without a token.
    package var unknown, missing: Refusal

    package init(
        unknown: String, missing: String, reading: @escaping @Sendable (String) -> ReadSet?,
        authenticate: @escaping @Sendable (String, Reading) -> Bearer?
    ) {
        (self.unknown, self.missing) = (.authenticationFailed(unknown), .authenticationFailed(missing))
        self.reading = reading
        self.authenticate = authenticate
    }
}

/// A caller who was admitted by one of the ``BearerTokens``.
package struct Bearer: Sendable {
    /// The key under which use of the token is noted.
    package var use: CredentialKey
    /// The feature's own value for the token.
    package var token: any Sendable

    package init(_ token: some Sendable, use: CredentialKey) { (self.token, self.use) = (token, use) }
}

extension Call {
    /// The token to judge with the endpoint's ``BearerTokens``; empty if the header has none; nil if the request has another
    /// credential. A signature is preferred.
    var bearerToken: String? {
        guard endpoint.bearers != nil, !isSigned, request.headers.contains(.authorization) else { return nil }
        return request.headers.bearer.map(String.init) ?? ""
    }

    /// The request has no token and no signature, so the answer does not reveal whether anything exists here.
    var showsNothing: Bool { bearerToken == nil && !isSigned && query.apiToken == nil }

    /// The refusal for a credential that is not known here.
    func unknown(signatureWindow: Milliseconds) -> Refusal {
        if let bearers = endpoint.bearers {
            if bearerToken != nil { return bearers.unknown }
            if showsNothing { return bearers.missing }
        }
        return credentials(signatureWindow: signatureWindow).unknown
    }

    /// The header of a refusal that states that a token is accepted here (RFC 6750).
    var challenge: [(name: String, value: String)] {
        guard endpoint.bearers != nil else { return [] }
        return [("WWW-Authenticate", bearerToken == nil ? "Bearer" : "Bearer error=\"invalid_token\"")]
    }
}

extension Runner {
    /// Authenticates a token. May block.
    ///
    /// - Throws: ``BearerTokens/unknown`` for a token that is not valid.
    func bearer(_ token: String, of bearers: BearerTokens, in store: any TenantStore) throws -> (Bearer, Catalog) {
        guard let set = bearers.reading(token) else { throw bearers.unknown }
        let reading = try store.read(set)
        memory(of: store.tenant).remember(reading.catalog)
        guard let bearer = bearers.authenticate(token, reading) else { throw bearers.unknown }
        return (bearer, reading.catalog)
    }
}

extension AdmittedCall {
    /// Judges the call's credential again by what is stored now. May block.
    func authenticate(
        by runner: Runner, in store: any TenantStore, notBefore time: ContinuousClock.Instant
    ) throws -> Runner.Authentication {
        guard let token = call.bearerToken, let bearers = call.endpoint.bearers else {
            return try runner.authenticate(credentials, in: store, notBefore: time, now: call.request.arrivedAt)
        }
        do {
            let (_, catalog) = try runner.bearer(token, of: bearers, in: store)
            return Runner.Authentication(verdict: .success(.anonymous), catalog: catalog, isOfStranger: false)
        } catch let refusal as Refusal {
            return Runner.Authentication(verdict: .failure(refusal), catalog: context.catalog, isOfStranger: true)
        }
    }
}

extension EndpointResponder {
    /// Authenticates the caller by a token that this endpoint accepts.
    func admit(_ call: Call, _ store: any TenantStore, by bearers: BearerTokens, _ token: String, attempt: Int) -> Work
    {
        meeting(call, store) {
            do {
                let (bearer, catalog) = try self.runner.bearer(token, of: bearers, in: store)
                self.runner.uses.note([bearer.use], of: call.tenant, at: call.request.arrivedAt)
                let proved = ProvedCaller(.anonymous, Admission())
                // The caller is no longer a stranger: what follows does not take a stranger's slot.
                return self.reading(store) {
                    self.proceed(call, store, (proved, catalog), bearer: bearer, attempt: attempt)
                }
            } catch {
                return self.answer(error, call, attempt: attempt)
            }
        }
    }

    /// Whether a long body is accepted from the holder of a token. Runs on a thread that may block.
    func isKnown(_ call: Call, _ token: String, by bearers: BearerTokens) throws -> Bool {
        let store = try runner.open(call.tenant)
        do { _ = try runner.bearer(token, of: bearers, in: store) } catch is Refusal { return false }
        return true
    }
}
