import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Tokens that a feature makes and that open some of its endpoints and nothing else, sent as `Authorization: Bearer TOKEN`.
///
/// An endpoint that takes them takes no API token in that header. Who shows one has no rights to any record: the endpoint gets
/// ``AdmittedCall/bearer`` and says what it is good for.
package struct BearerTokens: Sendable {
    /// What must be read to judge a token; nil for a text that is none.
    package var reading: @Sendable (_ token: String) -> ReadSet?
    /// Who holds a token, by a reading of that; nil where it is unknown or was taken back. Compares in constant time.
    package var judge: @Sendable (_ token: String, Reading) -> Bearer?
    /// What is told of a token that is not good, whether the container is there or not; and to who shows nothing at all.
    package var unknown, missing: Refusal

    package init(
        unknown: String, missing: String, reading: @escaping @Sendable (String) -> ReadSet?,
        judge: @escaping @Sendable (String, Reading) -> Bearer?
    ) {
        (self.unknown, self.missing) = (.authenticationFailed(unknown), .authenticationFailed(missing))
        self.reading = reading
        self.judge = judge
    }
}

/// Who was let in by one of the ``BearerTokens``.
package struct Bearer: Sendable {
    /// By which the use of the token is noted.
    package var use: CredentialKey
    /// What the feature knows of it.
    package var token: any Sendable

    package init(_ token: some Sendable, use: CredentialKey) { (self.token, self.use) = (token, use) }
}

extension Call {
    /// The token that is to be judged by the endpoint's ``BearerTokens``, empty for a header that has none; nil where the request shows
    /// something else. A signature is preferred.
    var bearerToken: String? {
        guard endpoint.bearers != nil, !isSigned, request.headers.contains(.authorization) else { return nil }
        return request.headers.bearer.map(String.init) ?? ""
    }

    /// Neither a token nor a signature: whether there is anything here is nothing to whoever asks so.
    var showsNothing: Bool { bearerToken == nil && !isSigned && query.apiToken == nil }

    /// What is told to who shows something that is not known here.
    func unknown(signatureWindow: Milliseconds) -> Refusal {
        if let bearers = endpoint.bearers {
            if bearerToken != nil { return bearers.unknown }
            if showsNothing { return bearers.missing }
        }
        return credentials(signatureWindow: signatureWindow).unknown
    }

    /// Says with a refusal that a token is taken here (RFC 6750).
    var challenge: [(name: String, value: String)] {
        guard endpoint.bearers != nil else { return [] }
        return [("WWW-Authenticate", bearerToken == nil ? "Bearer" : "Bearer error=\"invalid_token\"")]
    }
}

extension Runner {
    /// Finds out who holds a token. May wait.
    ///
    /// - Throws: ``BearerTokens/unknown`` for one that is not good.
    func bearer(_ token: String, of bearers: BearerTokens, in store: any TenantStore) throws -> (Bearer, Catalog) {
        guard let set = bearers.reading(token) else { throw bearers.unknown }
        let reading = try store.read(set)
        memory(of: store.tenant).remember(reading.catalog)
        guard let bearer = bearers.judge(token, reading) else { throw bearers.unknown }
        return (bearer, reading.catalog)
    }
}

extension AdmittedCall {
    /// Judges what the call has shown again, by what is stored now. May wait.
    func judge(
        by runner: Runner, in store: any TenantStore, notBefore time: ContinuousClock.Instant
    ) throws -> Runner.Judgement {
        guard let token = call.bearerToken, let bearers = call.endpoint.bearers else {
            return try runner.judge(credentials, in: store, notBefore: time, now: call.request.arrivedAt)
        }
        do {
            let (_, catalog) = try runner.bearer(token, of: bearers, in: store)
            return Runner.Judgement(verdict: .success(.anonymous), catalog: catalog, isOfStranger: false)
        } catch let refusal as Refusal {
            return Runner.Judgement(verdict: .failure(refusal), catalog: context.catalog, isOfStranger: true)
        }
    }
}

extension EndpointResponder {
    /// Finds out who asks by a token that this endpoint takes.
    func admit(_ call: Call, _ store: any TenantStore, by bearers: BearerTokens, _ token: String, attempt: Int) -> Work
    {
        meeting(call, store) {
            do {
                let (bearer, catalog) = try self.runner.bearer(token, of: bearers, in: store)
                self.runner.uses.note([bearer.use], of: call.tenant, at: call.request.arrivedAt)
                let proved = ProvedCaller(.anonymous, Admission())
                // It is nobody unknown who waits for what comes now.
                return self.reading(store) {
                    self.goOn(call, store, (proved, catalog), bearer: bearer, attempt: attempt)
                }
            } catch {
                return self.answer(error, call, attempt: attempt)
            }
        }
    }

    /// Whether a long body is to be taken from who shows a token. On a thread that may wait.
    func isKnown(_ call: Call, _ token: String, by bearers: BearerTokens) throws -> Bool {
        let store = try runner.open(call.tenant)
        do { _ = try runner.bearer(token, of: bearers, in: store) } catch is Refusal { return false }
        return true
    }
}
