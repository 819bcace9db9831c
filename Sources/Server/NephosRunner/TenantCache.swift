import CloudKitWire
package import NephosDomain
package import NephosStorage
import Synchronization

/// The tokens of a request, as sent.
package struct TokenPair: Hashable {
    private let api: Substring
    private let web: Substring

    /// - Parameter web: Empty if there is none.
    package init(api: Substring, web: Substring) {
        self.api = api
        self.web = web
    }

    /// A copy of the pair that does not share the request's memory, to be kept beyond the request.
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

/// The caller that tokens identify, and the issuer of their next token.
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

    /// The session was extended; its tokens are the same.
    fileprivate mutating func renew(_ session: SessionRow) {
        if case .person(let known) = caller, known.usedAt < session.usedAt { caller = .person(session) }
    }
}

/// What this process remembers of one tenant: its catalog, and the callers of tokens that it has authenticated, for one version
/// of the catalog. When sessions end, it forgets only these (docs/decisions/0048).
///
/// Every read and write compares the catalog with the one in its own snapshot, so what is remembered may be outdated but is never
/// decisive.
package final class TenantCache: Sendable {
    private struct State {
        var catalog: Catalog?
        private(set) var callers: [TokenPair: ProvedCaller] = [:]
        /// The remembered tokens of each session.
        private var tokens: [[UInt8]: [TokenPair]] = [:]
        /// When all are authenticated again, so that their use is noted every day.
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

    /// A caller with its tokens is about 500 bytes; above this count, all are forgotten and authenticated again.
    private static let callersMax = 10_000

    /// What people see of zones of others. Above this many people, all are forgotten and looked up again.
    private let foreignZones = Mutex<[UserID: [ForeignZoneName: ForeignZone]]>([:])
    private static let foreignPeopleMax = 10_000
    private static let foreignZonesMax = 1_000

    private let state = Mutex(State())
    /// Held while the catalog is reread; the time when the last read began.
    private let rereading = Mutex<ContinuousClock.Instant?>(nil)

    package var catalog: Catalog? { state.withLock { $0.catalog } }

    /// The caller that these tokens were proved to identify, unless the session has ended since.
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

    /// Remembers the catalog of a snapshot, and forgets what was remembered for an older one.
    func remember(_ catalog: Catalog) {
        state.withLock { state in
            if let known = state.catalog, known.isSame(as: catalog) { return }
            state.catalog = catalog
            state.forgetAll()
        }
    }

    /// Forgets sessions that have ended, and nothing else.
    ///
    /// - Parameter catalog: The catalog as of which they had ended.
    func forget(_ ended: EndedSessions, asOf catalog: Catalog) {
        state.withLock { state in
            guard let known = state.catalog, known.isSame(as: catalog),
                ended.since <= known.head.endedSessions, known.head.endedSessions < catalog.head.endedSessions
            else { return }
            state.catalog = catalog
            if ended.mayBeAny { state.forgetAll() } else { ended.forEach { state.forget($0) } }
        }
    }

    /// Applies the new state of sessions that were extended, or have ended.
    func renew(_ sessions: [SessionRow]) {
        state.withLock { state in
            for session in sessions {
                if session.revokedAt == 0 { state.renew(session) } else { state.forget(session.id) }
            }
        }
    }

    /// What a person was found to see of zones of others.
    func foreignZones(of user: UserID) -> [ForeignZoneName: ForeignZone] { foreignZones.withLock { $0[user] ?? [:] } }

    func forgetForeignZones(of user: UserID) { foreignZones.withLock { $0[user] = nil } }

    func remember(_ zones: [ForeignZone], of user: UserID) {
        guard !zones.isEmpty else { return }
        foreignZones.withLock { all in
            if all.count >= Self.foreignPeopleMax { all = [:] }
            var own = all[user] ?? [:]
            if own.count + zones.count > Self.foreignZonesMax { own = [:] }
            for zone in zones { own[zone.name] = zone }
            all[user] = own
        }
    }

    /// The catalog as stored at `time` or later. Of many concurrent calls one reads; the others wait for it, if reads block at
    /// all.
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

    /// Remembers the caller of tokens, as authenticated with `catalog`.
    package func remember(_ caller: ProvedCaller, _ tokens: TokenPair, of catalog: Catalog) {
        state.withLock { state in
            guard let known = state.catalog, known.isSame(as: catalog),
                // A session that has ended since would never be forgotten.
                caller.caller.session == nil || catalog.head.endedSessions >= known.head.endedSessions
            else { return }
            if state.callers.count >= Self.callersMax { state.forgetAll() }
            state.remember(caller, tokens.owned)
        }
    }
}

/// The memories of all tenants in use; at most as many as there are containers.
final class TenantCaches: Sendable {
    private let all = Mutex<[Tenant: TenantCache]>([:])

    func of(_ tenant: Tenant) -> TenantCache {
        all.withLock { all in
            if let memory = all[tenant] { return memory }
            let memory = TenantCache()
            all[tenant] = memory
            return memory
        }
    }

    func forget(_ tenant: Tenant) { all.withLock { $0[tenant] = nil } }
}
