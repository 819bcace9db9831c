package import NephosDomain
package import NephosStorage
import Synchronization

extension FeatureHost {
    /// Answers with server-sent events for as long as the caller may: until an hour is over, the session ends, or a credential is
    /// taken back. Then, and where anything fails, the client comes again and is told.
    ///
    /// - Parameters:
    ///   - topics: What wakes it.
    ///   - next: The event for who has seen the one with this id, nil for who has seen none; nil where there is none now. Asked at the
    ///     beginning, and when it is woken, four times a second at most; by the rights that the caller has then, on a thread that may wait.
    package func stream(
        _ call: AdmittedCall, of topics: Set<Topic>,
        next: @escaping @Sendable (RequestContext, any TenantStore, _ seen: String?) throws -> StreamEvent?
    ) -> Work {
        stream(call, of: topics) { context, store, seen in StreamStep(try next(context, store, seen)) }
    }

    /// The same for what changes by the clock, too: `next` says when it is to be asked again at the latest.
    package func stream(
        _ call: AdmittedCall, of topics: Set<Topic>,
        next: @escaping @Sendable (RequestContext, any TenantStore, _ seen: String?) throws -> StreamStep
    ) -> Work {
        let head = StreamHead(headers: Answers.rotation(call.call, call.issuer), endpoint: call.call.endpoint.label)
        return .stream(head) { writer in EventStream(self, call, topics, writer, next).begin() }
    }
}

/// A stream that is open: waits for news, and writes what there is then.
private final class EventStream: Sendable {
    private struct State {
        var seen: String?
        var isAsking = false
        var isWanted = false
        /// As the caller was judged last.
        var context: RequestContext
        /// Whether that was by what is stored, not by what this process remembered.
        var isJudged = false
        var isOver = false
        var listening: Listening?
        var timer: Task<Void, Never>?
        /// Wakes it at a moment that was asked for.
        var alarm: Task<Void, Never>?
    }

    /// A stream ends after so long, so that its client comes again and shows who it is.
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

    /// Greets the client: how soon to come back when the connection is lost. Each gets another delay, so that not all come at once.
    func begin() {
        writer.onEnding { [self] _ in finish() }
        var chance = host.chance
        writer.write(Array("retry: \(Int.random(in: 500...3_000, using: &chance))\n\n".utf8))
        // Before the first event is read, so that none is missed that comes after it.
        let listening = host.news.listen(
            to: topics, of: call.tenant, letIn: call.context.letIn
        ) { [self] in hear($0) }
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

    private func hear(_ news: News) {
        switch news {
        // Where the caller may have nothing any more, that is found while asking.
        case .posted, .catalog: ask()
        // What was posted meanwhile is told later.
        case .unknown: break
        }
    }

    /// Has the next event asked for, now or once that is done which is under way.
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
                guard host.worker.now < end, try await goOn() else { return writer.close() }
                // Who posts many times a second is told of once in a while.
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

    /// Whether there is something to do next.
    private func begin() -> Bool {
        state.withLock { state in
            state.isAsking = state.isWanted && !state.isOver
            state.isWanted = false
            return state.isAsking
        }
    }

    /// - Returns: Whether the caller may still get anything.
    private func goOn() async throws -> Bool {
        let store = try await host.worker.open(call.tenant)
        guard try await judgeWhereMoved(store) else { return false }
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

    /// Has it woken at a moment, and at no other that was asked for before.
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

    /// Judges the caller by what is stored now, unless that by which it was done still holds.
    private func judgeWhereMoved(_ store: any TenantStore) async throws -> Bool {
        guard let context = state.withLock({ $0.isJudged ? $0.context : nil }) else { return try await judge(store) }
        do {
            let catalog = try await host.apart.run { [runner = host.runner] in
                try runner.read(ReadSet(), from: store, judgedBy: context).catalog
            }
            if catalog !== context.catalog {
                state.withLock { $0.context = context.judged(context.caller, by: catalog, at: context.now) }
            }
            return true
        } catch is CatalogMoved {
            return try await judge(store)
        }
    }

    /// Judges the credentials again by what is stored now, as of the moment at which they were shown: a signature grows old.
    private func judge(_ store: any TenantStore) async throws -> Bool {
        let came = ContinuousClock.now
        let judgement = try await host.apart.run { [host, call] in
            try call.judge(by: host.runner, in: store, notBefore: came)
        }
        guard case .success(let caller) = judgement.verdict else { return false }
        let now = host.worker.now
        let (listening, letIn) = state.withLock { state in
            state.context = state.context.judged(caller, by: judgement.catalog, at: now)
            state.isJudged = true
            return (state.listening, state.context.letIn)
        }
        listening?.knows(letIn)
        return true
    }
}

extension RequestContext {
    /// By what the caller was let in.
    fileprivate var letIn: LetIn { LetIn(by: catalog, session: admission.session) }

    /// The same request by what is known of its caller now.
    fileprivate func judged(_ caller: Caller, by catalog: Catalog, at now: Milliseconds) -> RequestContext {
        RequestContext(
            catalog: catalog, caller: caller, admission: admission, scope: scope, now: now, client: client,
            limits: limits)
    }
}
