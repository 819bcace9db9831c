import NephosRunner
import NephosStorage

/// Reads a store where waiting is allowed.
struct Threads: Sendable {
    let pool: any WaitingThreads

    func read(_ store: any TenantStore, _ set: ReadSet) async throws -> Reading {
        try await pool.run { try store.read(set) }
    }

    func open(_ tenant: Tenant, _ engine: any StorageEngine) async throws -> (any TenantStore)? {
        if let store = engine.opened(tenant) { return store }
        return try await pool.run { try engine.open(tenant) }
    }
}
