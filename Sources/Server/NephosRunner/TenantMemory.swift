import CloudKitWire
package import NephosDomain
package import NephosStorage
import Synchronization

/// The tokens that a request carries, as they were sent.
package struct TokenPair: Hashable {
    private let api: Substring
    private let web: Substring

    /// - Parameter web: Empty without one.
    package init(api: Substring, web: Substring) {
        self.api = api
        self.web = web
    }

    /// The same pair in memory of its own, to be kept beyond the request.
    var owned: TokenPair { TokenPair(api: String(api)[...], web: String(web)[...]) }

    package static func == (left: TokenPair, right: TokenPair) -> Bool {
        left.api.utf8.isSame(as: right.api.utf8) && left.web.utf8.isSame(as: right.web.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for token in [api, web] {
            var token = token
            token.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(UInt8.max)
        }
    }
}

/// Whom tokens name, and how their next token is made.
package struct ProvedCaller: Sendable {
    package private(set) var caller: Caller
    package let admission: Admission
    /// nil without a session.
    package let issuer: WebAuthToken.Issuer?

    package init(_ caller: Caller, _ admission: Admission) {
        self.caller = caller
        self.admission = admission
        issuer = if case .person(let session) = caller { WebAuthToken.Issuer(session) } else { nil }
    }

    /// The session is longer now; its tokens are the same.
    fileprivate mutating func renew(_ session: SessionRow) {
        if case .person(let known) = caller, known.usedAt < session.usedAt { caller = .person(session) }
    }
}

/// What this process remembers of one tenant: its catalog, and whom tokens named that it has proved, for one version
/// of the catalog. Of sessions that end, it forgets only these (docs/decisions/0048).
///
/// Every read and write compares the catalog with the one in its own snapshot, so what stands here may be old but
/// never rules.
package final class TenantMemory: Sendable {
    private struct State {
        var catalog: Catalog?
        private(set) var callers: [TokenPair: ProvedCaller] = [:]
        /// The tokens of each session that are among them.
        private var tokens: [[UInt8]: [TokenPair]] = [:]
        /// Then all are proved anew, so that their use is noted on each day.
        var dayEnds: Milliseconds = 0

        mutating func remember(_ caller: ProvedCaller, _ pair: TokenPair) {
            guard callers.updateValue(caller, forKey: pair) == nil, let session = caller.caller.session else { return }
            tokens[session.id, default: []].append(pair)
        }

        mutating func renew(_ session: SessionRow) {
            for pair in tokens[session.id] ?? [] { callers[pair]?.renew(session) }
        }

        mutating func forget(_ session: [UInt8]) {
            for pair in tokens.removeValue(forKey: session) ?? [] { callers[pair] = nil }
        }

        mutating func forgetAll() { (callers, tokens) = ([:], [:]) }
    }

    /// A caller with its tokens is about 500 bytes; past this many, all are forgotten and proved again.
    private static let callersMax = 10_000

    private let state = Mutex(State())
    /// Held while the catalog is read anew; when that was begun last.
    private let rereading = Mutex<ContinuousClock.Instant?>(nil)

    package var catalog: Catalog? { state.withLock { $0.catalog } }

    /// Whom these tokens were proved to name, unless the session has ended since.
    package func caller(_ tokens: TokenPair, now: Milliseconds) -> (ProvedCaller, Catalog)? {
        state.withLock { state in
            if now >= state.dayEnds {
                state.dayEnds = (now / CredentialUses.day + 1) * CredentialUses.day
                state.forgetAll()
            }
            guard let catalog = state.catalog, let caller = state.callers[tokens] else { return nil }
            if case .person(let session) = caller.caller, session.expiresAt <= now { return nil }
            return (caller, catalog)
        }
    }

    /// Remembers the catalog of a snapshot, and forgets what an older one let it remember.
    func remember(_ catalog: Catalog) {
        state.withLock { state in
            if let known = state.catalog, known.isSame(as: catalog) { return }
            state.catalog = catalog
            state.forgetAll()
        }
    }

    /// Forgets sessions that have ended, and nothing else.
    ///
    /// - Parameter catalog: Which they had ended by.
    func forget(_ ended: EndedSessions, asOf catalog: Catalog) {
        state.withLock { state in
            guard let known = state.catalog, known.isSame(as: catalog),
                ended.since <= known.head.endedSessions, known.head.endedSessions < catalog.head.endedSessions
            else { return }
            state.catalog = catalog
            if ended.mayBeAny { state.forgetAll() } else { ended.forEach { state.forget($0) } }
        }
    }

    /// Takes in how sessions stand now that were made longer, or have ended.
    func renew(_ sessions: [SessionRow]) {
        state.withLock { state in
            for session in sessions {
                if session.revokedAt == 0 { state.renew(session) } else { state.forget(session.id) }
            }
        }
    }

    /// The catalog as it is stored, at `time` or later. Of many who ask at the same time one reads; the others wait for that,
    /// where reading waits at all.
    package func reread(
        _ store: any TenantStore, unlessSince time: ContinuousClock.Instant
    ) throws(StorageError) -> Catalog {
        guard store.readsWait else {
            let catalog = try store.read(ReadSet()).catalog
            remember(catalog)
            return catalog
        }
        return try rereading.withLock { begun throws(StorageError) in
            if let begun, begun >= time, let catalog { return catalog }
            let now = ContinuousClock.now
            let catalog = try store.read(ReadSet()).catalog
            remember(catalog)
            begun = now
            return catalog
        }
    }

    /// Remembers whom tokens name, as proved by `catalog`.
    package func remember(_ caller: ProvedCaller, _ tokens: TokenPair, of catalog: Catalog) {
        state.withLock { state in
            guard let known = state.catalog, known.isSame(as: catalog),
                // One that has ended since would not be forgotten any more.
                caller.caller.session == nil || catalog.head.endedSessions >= known.head.endedSessions
            else { return }
            if state.callers.count >= Self.callersMax { state.forgetAll() }
            state.remember(caller, tokens.owned)
        }
    }
}

/// The memories of all tenants in use. There are only as many as containers exist.
final class TenantMemories: Sendable {
    private let all = Mutex<[Tenant: TenantMemory]>([:])

    func of(_ tenant: Tenant) -> TenantMemory {
        all.withLock { all in
            if let memory = all[tenant] { return memory }
            let memory = TenantMemory()
            all[tenant] = memory
            return memory
        }
    }

    func forget(_ tenant: Tenant) { all.withLock { $0[tenant] = nil } }
}
