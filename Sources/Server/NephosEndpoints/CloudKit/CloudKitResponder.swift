import CloudKitWire
package import NephosDelivery
package import NephosDomain
package import NephosRunner
package import NephosStorage

/// Answers CloudKit Web Services: finds out what is asked and by whom, has it carried out (``Runner``), and puts the answer
/// together.
package final class CloudKitResponder: Responder {
    package struct Configuration: Sendable {
        /// Scheme and authority that clients use; nil takes those of the connection (``RawRequest/origin``).
        package var publicURL: String?
        /// How far a signed request's date may be off, in milliseconds.
        package var signatureWindow: Milliseconds = 600_000
        package var limits = DomainLimits()
        /// A longer body is taken in once its API token, or the id of its key, is known.
        package var unrecognizedBodyBytesMax = 16 << 10
        /// Told what queries cost.
        package var meter = QueryMeter()
        /// What no record holds. There is one for all that a server answers.
        package var unheld = UnheldCounts()

        package init() {}
    }

    /// Bodies above this are parsed on a thread that may take its time.
    private static let inlineBodyMax = 256 << 10

    let runner: Runner
    let configuration: Configuration
    let indexes: IndexKeeper
    let desk: CourierDesk?
    private let longQueries = LongQueries()
    let paths = RequestPaths()

    /// - Parameter desk: Where devices wait for what they are to be told; nil tells nobody.
    package init(
        runner: Runner, configuration: Configuration = Configuration(), desk: CourierDesk? = nil
    ) {
        self.runner = runner
        self.desk = desk
        self.configuration = configuration
        indexes = IndexKeeper(meter: configuration.meter)
    }

    package func stop() async { await indexes.stop() }

    package func respond(to request: RawRequest) -> Work {
        let path: RequestPath
        do throws(RequestPath.Problem) {
            path = try paths.path(request.path)
        } catch {
            return .answer(Answers.problem(error, request))
        }
        guard path.endpoint.accepts(request.method) else {
            return .answer(Answers.methodNotAllowed(path.endpoint, request))
        }
        let call = Call(request, path: path, publicURL: configuration.publicURL)
        if request.body.count > Self.inlineBodyMax { return .blocking { self.start(call) } }
        return start(call)
    }

    private func start(_ call: Call, attempt: Int = 1) -> Work {
        if let store = runner.engine.opened(call.path.tenant) { return run(call, store, attempt: attempt) }
        return open(call, attempt: attempt)
    }

    private func open(_ call: Call, attempt: Int) -> Work {
        if runner.strangers.areKnownToLack(call.path.tenant) { return answer(StorageError.noSuchTenant, call) }
        return runner.strangers.work(of: call.request, otherwise: answer(Refusal.tooManyStrangers, call)) {
            do throws(StorageError) {
                let store = try self.runner.open(call.path.tenant)
                return .blocking { self.run(call, store, attempt: attempt) }
            } catch {
                return self.answer(error, call)
            }
        }
    }

    /// Finds out who asks, and carries out what is asked.
    func run(_ call: Call, _ store: any TenantStore, attempt: Int) -> Work {
        if call.endpoint == .courier { return courier(call, store) }
        let memory = runner.memory(of: call.path.tenant)
        if let known = remembered(call, memory) { return goOn(call, store, known, attempt: attempt) }
        let came = ContinuousClock.now
        if let refusal = remembered(refusing: call, store, memory) { return answer(refusal, call) }
        return meeting(call, store) {
            do {
                let proved = try self.authenticate(call, store, memory, came: came)
                // It is nobody unknown who waits for what comes now.
                return self.reading(store) { self.goOn(call, store, proved, attempt: attempt) }
            } catch {
                return self.answer(error, call, attempt: attempt)
            }
        }
    }

    /// Does what reads `store`: at once where that takes microseconds, else on a thread that may wait.
    func reading(_ store: any TenantStore, _ body: @escaping @Sendable () -> Work) -> Work {
        store.readsWait ? .blocking(body) : body()
    }

    /// Reads `store` on behalf of somebody who may be anybody.
    func meeting(_ call: Call, _ store: any TenantStore, _ body: @escaping @Sendable () -> Work) -> Work {
        guard store.readsWait else { return body() }
        return runner.strangers.work(of: call.request, otherwise: answer(Refusal.tooManyStrangers, call), body)
    }

    private func goOn(
        _ call: Call, _ store: any TenantStore, _ proved: (caller: ProvedCaller, catalog: Catalog), attempt: Int
    ) -> Work {
        let context = RequestContext(
            catalog: proved.catalog, caller: proved.caller.caller, admission: proved.caller.admission,
            scope: call.scope, now: call.request.arrivedAt, client: call.query.clientID, limits: configuration.limits)
        let step = Step(call: call, context: context, issuer: proved.caller.issuer, store: store, attempt: attempt)
        do {
            return try perform(step)
        } catch {
            return answer(refusedUnread: error, step)
        }
    }

    /// A request that was refused before anything was read: by a catalog that may be old.
    private func answer(refusedUnread error: any Error, _ step: Step) -> Work {
        guard error is Refusal else { return answer(error, step) }
        return reading(step.store) { self.finish(step, ReadSet()) { _ in self.answer(error, step) } }
    }

    /// Who asks, where what this process remembers is enough to tell. Reads nothing.
    private func remembered(_ call: Call, _ memory: TenantMemory) -> (caller: ProvedCaller, catalog: Catalog)? {
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

    /// What stands in the place of credentials that were not known a moment ago, where finding out takes a while.
    func remembered(refusing call: Call, _ store: any TenantStore, _ memory: TenantMemory) -> Refusal? {
        guard store.readsWait, let catalog = memory.catalog, runner.strangers.areKnownToLack(Self.trace(of: call))
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

    /// What tells the credentials of one request from those of another, as far as the storage is asked for them.
    private struct Trace: Hashable {
        let tenant: Tenant
        let keyID: String?
        let tokens: TokenPair?
    }

    private static func trace(of call: Call) -> Trace {
        let keyID = call.request.headers.first(.keyID)
        return Trace(tenant: call.path.tenant, keyID: keyID, tokens: keyID == nil ? TokenPair(call.query) : nil)
    }

    /// Who asks, by what is stored.
    private func authenticate(
        _ call: Call, _ store: any TenantStore, _ memory: TenantMemory, came: ContinuousClock.Instant
    ) throws -> (caller: ProvedCaller, catalog: Catalog) {
        let credentials = credentials(of: call)
        let judgement = try runner.judge(credentials, in: store, notBefore: came, now: call.request.arrivedAt)
        if judgement.isOfStranger { note(unknown: call) }
        let caller = note(try judgement.verdict.get(), credentials, call)
        if !call.isSigned, let tokens = TokenPair(call.query) {
            memory.remember(caller, tokens, of: judgement.catalog)
        }
        return (caller, judgement.catalog)
    }

    func note(unknown call: Call) { runner.strangers.note(lackOf: Self.trace(of: call)) }

    /// Somebody was proved to be who he says, and let in.
    private func note(_ caller: Caller, _ credentials: Credentials, _ call: Call) -> ProvedCaller {
        runner.uses.note(credentials.used, of: call.path.tenant, at: call.request.arrivedAt)
        return ProvedCaller(caller, credentials.admission)
    }

    /// Everything one attempt at a request needs. A class, since it goes from hand to hand.
    final class Step: Sendable {
        let call: Call
        let context: RequestContext
        let issuer: WebAuthToken.Issuer?
        let store: any TenantStore
        let attempt: Int

        init(
            call: Call, context: RequestContext, issuer: WebAuthToken.Issuer?, store: any TenantStore, attempt: Int
        ) {
            self.call = call
            self.context = context
            self.issuer = issuer
            self.store = store
            self.attempt = attempt
        }
    }

    /// Reads `set`, and answers with what `body` makes of it.
    func read(_ step: Step, _ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> [UInt8]) -> Work {
        carryOut(step, set) { .answer(Answers.success(try body($0), step)) }
    }

    /// Reads `set`, and goes on with what `body` makes of it.
    func carryOut(_ step: Step, _ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> Work) -> Work {
        if !step.store.readsWait {
            if set.isBounded { return finish(step, set, body) }
            if let brief = set.brief, set.queries.isEmpty || !longQueries.pass(set) {
                if let work = finishBriefly(step, brief, of: set, body) { return work }
                if !set.queries.isEmpty { longQueries.add(set) }
            }
        }
        var set = set
        set.abandonment = step.call.request.abandonment
        return .blocking { [set] in self.finish(step, set, body) }
    }

    /// What a read comes to that takes little; nil when it was given up.
    ///
    /// - Parameter set: What is asked for, and `brief` its ``ReadSet/brief``.
    private func finishBriefly(
        _ step: Step, _ brief: ReadSet, of set: ReadSet, _ body: (Reading) throws -> Work
    ) -> Work? {
        var isGivenUp = false
        let work = finish(step, brief) { reading in
            configuration.meter.brief?(reading.work)
            isGivenUp = set.isCutShort(reading)
            return isGivenUp ? .failed(Refusal.failed) : try body(reading)
        }
        return isGivenUp ? nil : work
    }

    private func finish(_ step: Step, _ set: ReadSet, _ body: (Reading) throws -> Work) -> Work {
        do {
            return try body(try runner.read(set, from: step.store, judgedBy: step.context.catalog))
        } catch {
            return answer(error, step)
        }
    }

    /// Decides and writes, and answers with what `body` makes of the answer.
    func commit<Answer: Sendable>(
        _ step: Step, _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ body: @escaping @Sendable (Answer) -> [UInt8]
    ) -> Work {
        .later { done in
            self.runner.commit(set, to: step.store, judgedBy: step.context.catalog, decide: decide) { result in
                switch result {
                case .success(let answer): done(.answer(Answers.success(body(answer), step)))
                case .failure(let error): done(self.answer(error, step))
                }
            }
        }
    }

    private func answer(_ error: any Error, _ step: Step) -> Work {
        answer(error, step.call, step.issuer, attempt: step.attempt)
    }

    /// A failure, or another attempt where that may help.
    private func answer(
        _ error: any Error, _ call: Call, _ issuer: WebAuthToken.Issuer? = nil, attempt: Int
    ) -> Work {
        switch runner.next(after: error, of: attempt, at: call.path.tenant) {
        case .again:
            // The store that shows a new catalog is open.
            .blocking { self.start(call, attempt: attempt + 1) }
        case .openAnew: open(call, attempt: attempt + 1)
        case .fails(let error): answer(error, call, issuer)
        }
    }

    /// What is answered where nobody knows the credentials.
    private func unknown(_ call: Call) -> Refusal {
        if call.endpoint == .courier {
            return call.query.courierToken == nil ? CourierToken.missing : CourierToken.unknown
        }
        return credentials(of: call).unknown
    }

    func answer(_ error: any Error, _ call: Call, _ issuer: WebAuthToken.Issuer? = nil) -> Work {
        guard let refusal = runner.refusal(of: error, unknown: unknown(call)) else {
            return .failed(error)
        }
        return .answer(Answers.refusal(refusal, call, issuer))
    }
}
