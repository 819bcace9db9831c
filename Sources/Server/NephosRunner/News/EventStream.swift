package import NephosDomain
package import NephosStorage
import Synchronization

extension FeatureHost {
    /// Answers with server-sent events for as long as the caller is allowed: until an hour has passed, the session ends, or a credential is
    /// revoked. Then, and on any failure, the client reconnects and gets the error response.
    ///
    /// - Parameters:
    ///   - topics: Posts to these topics wake the stream.
    ///   - next: Returns the event that follows the one with this id, nil for the first event; nil if there is none now. Called at the
    ///     beginning and when the stream is woken, at most four times a second; with the rights that the caller has then, on a thread that
    ///     may block.
    package func stream(
        _ call: AdmittedCall, of topics: Set<Topic>,
        next: @escaping @Sendable (RequestContext, any TenantStore, _ seen: String?) throws -> StreamEvent?
    ) -> Work {
        stream(call, of: topics) { context, store, seen in StreamStep(try next(context, store, seen)) }
    }

    /// The same for data that also changes over time: `next` returns when it must be called again at the latest.
    package func stream(
        _ call: AdmittedCall, of topics: Set<Topic>,
        next: @escaping @Sendable (RequestContext, any TenantStore, _ seen: String?) throws -> StreamStep
    ) -> Work {
        let head = StreamHead(headers: Answers.rotation(call.call, call.issuer), endpoint: call.call.endpoint.label)
        return .stream(head) { writer in EventStream(self, call, topics, writer, next).begin() }
    }
}

/// An open stream: waits for news, and writes the events.
private final class EventStream: Sendable {
    private struct State {
        var seen: String?
        var isAsking = false
        var isWanted = false
        /// The context from the last authentication.
        var context: RequestContext
        /// Whether that used the store, not what this process remembered.
        var isAuthenticated = false
        var isOver = false
        var listening: Listening?
        var timer: Task<Void, Never>?
        /// Wakes the stream at a requested time.
        var alarm: Task<Void, Never>?
    }

    /// A stream ends after this time, so that its client reconnects and authenticates again.
    private static let lifetime: Milliseconds = 3_600_000

    private let host: FeatureHost
    private let call: AdmittedCall
    private let topics: Set<Topic>
    private let writer: StreamWriter
    private let next: @Sendable (RequestContext, any TenantStore, String?) throws -> StreamStep
    private let end: Milliseconds
    private let state: Mutex<State>

    init(
        _ host: FeatureHost, _ call: AdmittedCall, _ topics: Set<Topic>, _ writer: StreamWriter,
        _ next: @escaping @Sendable (RequestContext, any TenantStore, String?) throws -> StreamStep
    ) {
        (self.host, self.call, self.topics, self.writer, self.next) = (host, call, topics, writer, next)
        let session: Milliseconds = if case .person(let row) = call.context.caller { row.expiresAt } else { .max }
        end = min(session, call.call.request.arrivedAt + Self.lifetime)
        state = Mutex(State(seen: call.call.lastEventID, context: call.context))
    }

    /// Greets the client with a reconnect delay. Each client gets a different delay, so that not all reconnect at the same time.
    func begin() {
        writer.onEnding { [self] _ in finish() }
        var randomSource = host.randomSource
        writer.write(Array("retry: \(Int.random(in: 500...3_000, using: &randomSource))\n\n".utf8))
        // Before the first event is read, so that no later event is missed.
        let listening = host.news.listen(
            to: topics, of: call.tenant, basis: call.context.basis
        ) { [self] in receive($0) }
        let left = Duration.milliseconds(end - call.call.request.arrivedAt)
        let timer = Task { [writer] in
            guard (try? await Task.sleep(for: left)) != nil else { return }
            writer.close()
        }
        let isOver = state.withLock { state in
            (state.listening, state.timer) = (listening, timer)
            return state.isOver
        }
        if isOver { finish() } else { ask() }
    }

    private func finish() {
        let (listening, tasks) = state.withLock { state in
            state.isOver = true
            defer { (state.listening, state.timer, state.alarm) = (nil, nil, nil) }
            return (state.listening, [state.timer, state.alarm])
        }
        listening?.cancel()
        for task in tasks { task?.cancel() }
    }

    private func receive(_ news: News) {
        switch news {
        // If the caller has lost its rights, `next` finds that out.
        case .posted, .catalog: ask()
        // What is posted meanwhile is reported later.
        case .unknown: break
        }
    }

    /// Requests the next event, now or after the running request.
    private func ask() {
        let begins = state.withLock { state in
            state.isWanted = true
            guard !state.isAsking, !state.isOver else { return false }
            state.isAsking = true
            return true
        }
        if begins { Task { await work() } }
    }

    private func work() async {
        while begin() {
            do {
                guard host.worker.now < end, try await proceed() else { return writer.close() }
                // Limits the rate for topics that are posted to many times a second.
                try await Task.sleep(for: NewsWatch.interval)
            } catch {
                failed(error)
                return writer.close()
            }
        }
    }

    private func failed(_ error: any Error) {
        host.runner.outage.note(error)
        switch error {
        case StorageError.unavailable, StorageError.full, StorageError.closed, StorageError.noSuchTenant: break
        default: host.failed("a stream was ended", call.tenant, error)
        }
    }

    /// Whether there is another request to run.
    private func begin() -> Bool {
        state.withLock { state in
            state.isAsking = state.isWanted && !state.isOver
            state.isWanted = false
            return state.isAsking
        }
    }

    /// - Returns: Whether the caller may still receive events.
    private func proceed() async throws -> Bool {
        let store = try await host.worker.open(call.tenant)
        guard try await authenticateIfChanged(store) else { return false }
        let (context, seen) = state.withLock { ($0.context, $0.seen) }
        let step = try await host.apart.run { [next] in try next(context, store, seen) }
        setAlarm(step.wakesAt)
        guard let event = step.event else { return true }
        writer.write(event.bytes)
        state.withLock { state in
            state.seen = event.id ?? state.seen
            state.isWanted = state.isWanted || event.hasMore
        }
        return true
    }

    /// Sets the wake-up time and cancels the previous one.
    private func setAlarm(_ time: Milliseconds?) {
        let alarm = time.map { time in
            let left = Duration.milliseconds(max(0, min(time, end) - host.worker.now))
            return Task { [self] in
                guard (try? await Task.sleep(for: left)) != nil else { return }
                ask()
            }
        }
        let old = state.withLock { state in
            defer { state.alarm = state.isOver ? nil : alarm }
            return state.isOver ? alarm : state.alarm
        }
        old?.cancel()
    }

    /// Authenticates the caller by what is stored now, unless the previous result still holds.
    private func authenticateIfChanged(_ store: any TenantStore) async throws -> Bool {
        guard let context = state.withLock({ $0.isAuthenticated ? $0.context : nil }) else {
            return try await authenticate(store)
        }
        do {
            let catalog = try await host.apart.run { [runner = host.runner] in
                try runner.read(ReadSet(), from: store, authenticatedBy: context).catalog
            }
            if catalog !== context.catalog {
                state.withLock { $0.context = context.updated(context.caller, by: catalog, at: context.now) }
            }
            return true
        } catch is CatalogMoved {
            return try await authenticate(store)
        }
    }

    /// Authenticates the credentials again by what is stored now, as of the time at which they were sent: a signature expires.
    private func authenticate(_ store: any TenantStore) async throws -> Bool {
        let came = ContinuousClock.now
        let authentication = try await host.apart.run { [host, call] in
            try call.authenticate(by: host.runner, in: store, notBefore: came)
        }
        guard case .success(let caller) = authentication.verdict else { return false }
        let now = host.worker.now
        let (listening, basis) = state.withLock { state in
            state.context = state.context.updated(caller, by: authentication.catalog, at: now)
            state.isAuthenticated = true
            return (state.listening, state.context.basis)
        }
        listening?.knows(basis)
        return true
    }
}

extension RequestContext {
    /// The basis on which the caller was admitted.
    fileprivate var basis: AdmissionBasis { AdmissionBasis(by: catalog, session: admission.session) }

    /// The same request with the caller's current state.
    fileprivate func updated(_ caller: Caller, by catalog: Catalog, at now: Milliseconds) -> RequestContext {
        RequestContext(
            catalog: catalog, caller: caller, admission: admission, scope: scope, now: now, client: client,
            limits: limits)
    }
}
