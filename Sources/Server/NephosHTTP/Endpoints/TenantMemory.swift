import NephosStorage
import Synchronization

/// What this process remembers of one tenant: its catalog, and sessions it has seen, for one version of the catalog.
///
/// Every read and write compares the catalog with the one in its own snapshot, so what stands here may be old but
/// never rules.
final class TenantMemory: Sendable {
    private struct State {
        var catalog: Catalog?
        var sessions: [[UInt8]: SessionRow] = [:]
    }

    /// A session is about 200 bytes; past this many, all are forgotten and read again.
    private static let sessionsMax = 10_000

    private let state = Mutex(State())

    var catalog: Catalog? { state.withLock { $0.catalog } }

    func session(_ id: [UInt8]) -> SessionRow? { state.withLock { $0.sessions[id] } }

    /// Remembers the catalog of a snapshot, and forgets what an older one let it remember.
    func remember(_ catalog: Catalog) {
        state.withLock { state in
            if let known = state.catalog, known.isSame(as: catalog) { return }
            state.catalog = catalog
            state.sessions = [:]
        }
    }

    /// Remembers a session read from a snapshot with `catalog`.
    func remember(_ session: SessionRow, of catalog: Catalog) {
        state.withLock { state in
            guard let known = state.catalog, known.isSame(as: catalog) else { return }
            if state.sessions.count >= Self.sessionsMax { state.sessions = [:] }
            state.sessions[session.id] = session
        }
    }
}

extension Catalog {
    /// Whether a request judged by this catalog may go on in a snapshot that shows `other`. A container that was
    /// deleted and made again has another signing key.
    func isSame(as other: Catalog) -> Bool {
        self === other || (version == other.version && head.signingKey == other.head.signingKey)
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
