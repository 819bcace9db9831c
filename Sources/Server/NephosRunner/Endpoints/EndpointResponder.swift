package import NephosDomain
package import NephosStorage

/// Handles requests to endpoints: finds the endpoint, authenticates the caller, opens the container, and retries if something
/// changed meanwhile.
package final class EndpointResponder: Responder {
    package struct Configuration: Sendable {
        /// The URL that clients use; nil takes that of the connection (``RawRequest/origin``).
        package var publicURL: PublicURL?
        /// How far the date of a signed request may be off, in milliseconds.
        package var signatureWindow: Milliseconds = 600_000
        package var limits = DomainLimits()
        /// A longer body is accepted only once its API token, or the id of its key, is known.
        package var unrecognizedBodyBytesMax = 16 << 10
        /// Called with the work of a read on an event loop: one with queries, feeds or several records, completed or given up.
        package var readBriefly: (@Sendable (ReadWork) -> Void)?
        /// The URL where a person signs in for a call; nil if nobody can.
        package var signInURL: @Sendable (Call) -> String? = { _ in nil }
        /// Called with what the app of a request states about itself (``FeatureService/onAppReport``).
        package var onAppReport: [@Sendable (AdmittedCall, String) -> Void] = []
        /// Called for requests that extend the person's session.
        package var used: (@Sendable (SessionUse, Tenant) -> Void)?
        /// Milliseconds since 1970, for what happens after a request has arrived.
        package var clock: @Sendable () -> Milliseconds = WallClock.now
        package var randomSource = RandomSource.system

        package init() {}
    }

    /// Larger bodies are parsed on a thread that may block.
    private static let inlineBodyMax = 256 << 10

    let runner: Runner
    let configuration: Configuration
    let endpoints: EndpointTable
    let longQueries = LongQueries()
    let pages: (any Pages)?
    private let whenStopped: @Sendable () async -> Void

    /// - Parameters:
    ///   - endpoints: Each with a distinct path.
    ///   - pages: Served in addition to the endpoints.
    ///   - whenStopped: Ends work that endpoints have started and no request waits for.
    package init(
        _ endpoints: [Endpoint], runner: Runner, configuration: Configuration = Configuration(),
        pages: (any Pages)? = nil, whenStopped: @escaping @Sendable () async -> Void = {}
    ) {
        self.runner = runner
        self.configuration = configuration
        self.endpoints = EndpointTable(endpoints)
        self.pages = pages
        self.whenStopped = whenStopped
    }

    package func stop() async { await whenStopped() }

    package func respond(to request: RawRequest) -> Work {
        if let pages = pages(for: request) { return pages.respond(to: request) }
        let path: EndpointPath
        do throws(EndpointPath.Problem) {
            path = try endpoints.path(request.path)
        } catch {
            return .answer(
                Answers.problem(error, request, endpoints, below: configuration.publicURL?.path ?? ""))
        }
        let call = Call(request, path: path, publicURL: configuration.publicURL)
        guard path.endpoint.accepts(request.method) else { return .answer(Answers.methodNotAllowed(call)) }
        if case .anonymous(let answer) = path.endpoint.answering { return .answer(answer(call)) }
        if request.body.count > Self.inlineBodyMax { return .blocking { self.start(call) } }
        return start(call)
    }

    /// nil for a request that may be for an endpoint.
    func pages(for request: RawRequest) -> (any Pages)? {
        guard !EndpointTable.isHot(request.target), let pages, pages.has(request.path) else { return nil }
        return pages
    }

    private func start(_ call: Call, attempt: Int = 1) -> Work {
        if let store = runner.engine.opened(call.tenant) { return run(call, store, attempt: attempt) }
        return open(call, attempt: attempt)
    }

    private func open(_ call: Call, attempt: Int) -> Work {
        if runner.strangers.isKnownMissing(call.tenant) { return answer(StorageError.noSuchTenant, call) }
        return runner.strangers.work(of: call.request, otherwise: answer(Refusal.tooManyStrangers, call)) {
            do throws(StorageError) {
                let store = try self.runner.open(call.tenant)
                return .blocking { self.run(call, store, attempt: attempt) }
            } catch {
                return self.answer(error, call)
            }
        }
    }

    /// Authenticates the caller, and carries out the request.
    func run(_ call: Call, _ store: any TenantStore, attempt: Int) -> Work {
        switch call.endpoint.answering {
        case .callers: admit(call, store, attempt: attempt)
        case .own(let admission, let answer): admit(call, store, by: admission, answer)
        case .anonymous(let answer): .answer(answer(call))
        }
    }

    /// Runs `body`, which reads `store`: immediately if reads take microseconds, otherwise on a thread that may block.
    func reading(_ store: any TenantStore, _ body: @escaping @Sendable () -> Work) -> Work {
        store.readsWait ? .blocking(body) : body()
    }

    /// Reads `store` for a caller who is not authenticated yet.
    ///
    /// - Parameter alwaysWaits: `body` may block, however `store` reads.
    func meeting(
        _ call: Call, _ store: any TenantStore, alwaysWaits: Bool = false, _ body: @escaping @Sendable () -> Work
    ) -> Work {
        guard store.readsWait || alwaysWaits else { return body() }
        return runner.strangers.work(of: call.request, otherwise: answer(Refusal.tooManyStrangers, call), body)
    }

    // MARK: After a failure

    func answer(_ error: any Error, _ call: AdmittedCall) -> Work {
        answer(error, call.call, call.issuer, attempt: call.attempt)
    }

    /// An error response, or another attempt if that may help.
    func answer(_ error: any Error, _ call: Call, _ issuer: WebAuthToken.Issuer? = nil, attempt: Int) -> Work {
        switch runner.next(after: error, of: attempt, at: call.tenant) {
        case .again:
            // A store that shows a new catalog is open.
            .blocking { self.start(call, attempt: attempt + 1) }
        case .reopen: open(call, attempt: attempt + 1)
        case .fails(let error): answer(error, call, issuer)
        }
    }

    package func answer(_ error: any Error, _ call: Call, _ issuer: WebAuthToken.Issuer? = nil) -> Work {
        let own = call.endpoint.ownAdmission
        let unknown = own?.unknown(call) ?? call.unknown(signatureWindow: configuration.signatureWindow)
        guard let refusal = own?.refusal(error) ?? runner.refusal(of: error, unknown: unknown) else {
            return .failed(error)
        }
        if let page = own?.page(refusal, call) { return .answer(page) }
        var redirectURL: String?
        if case .authenticationRequired = refusal { redirectURL = configuration.signInURL(call) }
        var answer = Answers.refusal(refusal, call, issuer, status: own?.status(refusal), redirectURL: redirectURL)
        if answer.status == 401 { answer.headers += call.challenge }
        return .answer(answer)
    }
}

/// Pages of a server, each at a path that no endpoint has.
package protocol Pages: Responder {
    func has(_ path: Substring) -> Bool
}
