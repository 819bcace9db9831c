import NephosRunner
import NephosStorage

/// Reads a store where waiting is allowed.
struct Threads: Sendable {
    let pool: any WaitingThreads

    func read(_ store: any TenantStore, _ set: ReadSet) async throws -> Reading {
        try await pool.run { try store.read(set) }
    }

    /// - Throws: ``StorageError/noSuchTenant``.
    func open(_ tenant: Tenant, _ runner: Runner) async throws -> any TenantStore {
        if let store = runner.engine.opened(tenant) { return store }
        return try await pool.run { try runner.open(tenant) }
    }
}
