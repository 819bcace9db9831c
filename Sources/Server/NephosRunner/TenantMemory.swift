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
    package let caller: Caller
    package let admission: Admission
    /// nil without a session.
    package let issuer: WebAuthToken.Issuer?

    package init(_ caller: Caller, _ admission: Admission) {
        self.caller = caller
        self.admission = admission
        issuer = if case .person(let session) = caller { WebAuthToken.Issuer(session) } else { nil }
    }
}

/// What this process remembers of one tenant: its catalog, and whom tokens named that it has proved, for one version
/// of the catalog.
///
/// Every read and write compares the catalog with the one in its own snapshot, so what stands here may be old but
/// never rules.
package final class TenantMemory: Sendable {
    private struct State {
        var catalog: Catalog?
        var callers: [TokenPair: ProvedCaller] = [:]
        /// Then all are proved anew, so that their use is noted on each day.
        var dayEnds: Milliseconds = 0
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
                state.callers = [:]
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
            state.callers = [:]
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
            guard let known = state.catalog, known.isSame(as: catalog) else { return }
            if state.callers.count >= Self.callersMax { state.callers = [:] }
            state.callers[tokens.owned] = caller
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
