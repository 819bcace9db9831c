import CloudKitWire
import NephosDomain
import NephosStorage

extension EndpointResponder {
    func credentials(of call: Call) -> Credentials {
        call.credentials(signatureWindow: configuration.signatureWindow)
    }

    /// Authenticates the caller by the usual credentials.
    func admit(_ call: Call, _ store: any TenantStore, attempt: Int) -> Work {
        if let token = call.bearerToken, let bearers = call.endpoint.bearers {
            return admit(call, store, by: bearers, token, attempt: attempt)
        }
        if let bearers = call.endpoint.bearers, call.showsNothing { return answer(bearers.missing, call) }
        let memory = runner.memory(of: call.tenant)
        if let known = remembered(call, memory) { return proceed(call, store, known, attempt: attempt) }
        let came = ContinuousClock.now
        if let refusal = remembered(refusing: call, store, memory) { return answer(refusal, call) }
        return meeting(call, store) {
            do {
                let proved = try self.authenticate(call, store, memory, came: came)
                // The caller is no longer a stranger: what follows does not take a stranger's slot.
                return self.reading(store) { self.proceed(call, store, proved, attempt: attempt) }
            } catch {
                return self.answer(error, call, attempt: attempt)
            }
        }
    }

    /// Has an endpoint authenticate the caller itself.
    func admit(
        _ call: Call, _ store: any TenantStore, by admission: EndpointCredential,
        _ answering: @escaping @Sendable (Call, any TenantStore) throws -> Work
    ) -> Work {
        @Sendable func begin() -> Work {
            do { return try answering(call, store) } catch { return self.answer(error, call) }
        }
        guard isIssuedHere(call) else { return meeting(call, store, alwaysWaits: admission.alwaysWaits, begin) }
        return admission.alwaysWaits ? .blocking(begin) : reading(store, begin)
    }

    /// Whether the call's own credential was issued by its container, as far as is known without reading the store.
    func isIssuedHere(_ call: Call) -> Bool {
        guard let admission = call.endpoint.ownAdmission, let catalog = runner.memory(of: call.tenant).catalog else {
            return false
        }
        return admission.isIssuedHere(call, catalog.head.signingKey)
    }

    /// Has the endpoint answer an admitted caller.
    func proceed(
        _ call: Call, _ store: any TenantStore, _ proved: (caller: ProvedCaller, catalog: Catalog),
        bearer: Bearer? = nil, attempt: Int, foreign: ForeignZones? = nil
    ) -> Work {
        guard case .callers(let needsUser, let answer) = call.endpoint.answering else { return .failed(Refusal.failed) }
        let facts = Result { () throws(Refusal) in try provedFacts(call, proved.caller.caller, proved.catalog) }
        let known = if case .success(let facts) = facts { facts } else { nil as ProvedFacts? }
        // The same request comes here again after zones were looked up for it.
        let isFirst = foreign == nil
        let session = call.scope == .shared ? proved.caller.caller.session : nil
        let foreign =
            foreign
            ?? session.map { session in
                ForeignZones(
                    of: session, known: runner.memory(of: call.tenant).foreignZones(of: session.user),
                    signingKey: proved.catalog.head.signingKey)
            }
        let context = RequestContext(
            catalog: proved.catalog, caller: proved.caller.caller, admission: proved.caller.admission,
            scope: call.scope, now: call.request.arrivedAt, client: call.query.clientID, limits: configuration.limits,
            facts: known?.names ?? [], factValues: known?.facts ?? [:], foreign: foreign)
        if isFirst, let session = context.caller.session, session.isDue(at: context.now) {
            let use = SessionUse(
                of: session, at: context.now,
                from: RequestSource(call.request, token: proved.caller.admission.token))
            configuration.used?(use, call.tenant)
        }
        let admitted = AdmittedCall(
            call, context, proved.caller.issuer, store, bearer: bearer, attempt: attempt, self)
        if isFirst, !configuration.onAppReport.isEmpty, let app = call.request.headers.first(.app) {
            for receive in configuration.onAppReport { receive(admitted, app) }
        }
        do {
            _ = try facts.get()
            // A caller without the rights is refused before the body is parsed.
            try context.requireCaller(writing: needsUser)
            guard let session, let foreign else { return try answer(admitted) }
            let work = Result { try answer(admitted) }
            let missing = foreign.missing
            if missing.isEmpty { return try work.get() }
            return reading(store) {
                do {
                    let zones = try self.runner.lookUp(missing, of: session, in: store)
                    let more = foreign.adding(zones, lookedUp: missing, of: session)
                    return self.proceed(call, store, proved, bearer: bearer, attempt: attempt, foreign: more)
                } catch {
                    return self.answer(error, admitted)
                }
            }
        } catch {
            return self.answer(refusedUnread: error, admitted)
        }
    }

    /// The facts proved with a request for records; nil if there are none.
    ///
    /// - Throws: ``Refusal/badRequest(_:)`` for a proof that is not valid.
    private func provedFacts(_ call: Call, _ caller: Caller, _ catalog: Catalog) throws(Refusal) -> ProvedFacts? {
        guard call.endpoint.takesFacts, let proof = call.request.headers.first(.facts) else { return nil }
        do throws(WireError) {
            return try ProvedFacts(proof, of: caller.user, in: call.tenant, catalog, now: call.request.arrivedAt)
        } catch {
            throw .badRequest("X-Nephos-Facts: \(error.reason)")
        }
    }

    /// A request that was refused before anything was read, based on a catalog that may be outdated.
    private func answer(refusedUnread error: any Error, _ call: AdmittedCall) -> Work {
        guard error is Refusal else { return answer(error, call) }
        var set = ReadSet()
        // What the caller sees of zones of others may be outdated, too.
        call.context.foreign?.prove(by: &set)
        return reading(call.store) { [set] in call.finish(set) { _ in self.answer(error, call) } }
    }

    /// The caller, if what this process remembers is sufficient. Reads nothing.
    private func remembered(_ call: Call, _ memory: TenantCache) -> (caller: ProvedCaller, catalog: Catalog)? {
        let tokens = call.isSigned ? nil : TokenPair(call.query)
        if let tokens, let known = memory.caller(tokens, now: call.request.arrivedAt) { return known }
        let credentials = credentials(of: call)
        guard credentials.sessionID == nil, let catalog = memory.catalog,
            let caller = try? credentials.authenticate(catalog: catalog, session: nil, now: call.request.arrivedAt)
        else { return nil }
        let proved = note(caller, credentials, call)
        if let tokens { memory.remember(proved, tokens, of: catalog) }
        return (proved, catalog)
    }

    /// The refusal for credentials that were unknown a moment ago, if reading the store takes long.
    func remembered(refusing call: Call, _ store: any TenantStore, _ memory: TenantCache) -> Refusal? {
        guard store.readsWait, let catalog = memory.catalog, runner.strangers.isKnownMissing(Self.trace(of: call))
        else {
            return nil
        }
        let credentials = credentials(of: call)
        do throws(Refusal) {
            _ = try credentials.authenticate(catalog: catalog, session: nil, now: call.request.arrivedAt)
            return nil
        } catch {
            return error
        }
    }

    /// Identifies the credentials of a request, as far as the store is read for them.
    private struct Trace: Hashable {
        let tenant: Tenant
        let keyID: String?
        let tokens: TokenPair?
    }

    private static func trace(of call: Call) -> Trace {
        let keyID = call.request.headers.first(.keyID)
        return Trace(tenant: call.tenant, keyID: keyID, tokens: keyID == nil ? TokenPair(call.query) : nil)
    }

    /// The caller, by what is stored.
    private func authenticate(
        _ call: Call, _ store: any TenantStore, _ memory: TenantCache, came: ContinuousClock.Instant
    ) throws -> (caller: ProvedCaller, catalog: Catalog) {
        let credentials = credentials(of: call)
        let authentication = try runner.authenticate(
            credentials, in: store, notBefore: came, now: call.request.arrivedAt)
        if authentication.isOfStranger { note(unknown: call) }
        let caller = note(try authentication.verdict.get(), credentials, call)
        if !call.isSigned, let tokens = TokenPair(call.query) {
            memory.remember(caller, tokens, of: authentication.catalog)
        }
        return (caller, authentication.catalog)
    }

    func note(unknown call: Call) { runner.strangers.note(missing: Self.trace(of: call)) }

    /// Notes that the caller was authenticated and admitted.
    private func note(_ caller: Caller, _ credentials: Credentials, _ call: Call) -> ProvedCaller {
        runner.uses.note(credentials.used, of: call.tenant, at: call.request.arrivedAt)
        return ProvedCaller(caller, credentials.admission)
    }
}
