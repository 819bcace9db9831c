import NephosDomain
package import NephosStorage

/// Access to a store for work that no request waits for: on threads that may block, with the server's clock.
package struct Worker: Sendable {
    package let runner: Runner
    package let threads: any WaitingThreads
    /// Milliseconds since 1970.
    package let clock: @Sendable () -> Milliseconds

    package init(
        _ runner: Runner, on threads: any WaitingThreads = QueueThreads(),
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        self.runner = runner
        self.threads = threads
        self.clock = clock
    }

    package var now: Milliseconds { clock() }
    package var engine: any StorageEngine { runner.engine }

    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.run(body)
    }

    package func read(_ set: ReadSet, from store: any TenantStore) async throws -> Reading {
        try await threads.run { try store.read(set) }
    }

    package func rows<Row: StoredRow>(_ scan: Scan<Row>, from store: any TenantStore) async throws -> [Row] {
        try await threads.run { try store.rows(scan) }
    }

    /// - Throws: ``StorageError/noSuchTenant``.
    package func open(_ tenant: Tenant) async throws -> any TenantStore {
        if let store = engine.opened(tenant) { return store }
        return try await threads.run { [runner] in try runner.open(tenant) }
    }

    /// Opens a tenant and runs `body`; see ``attempt(failed:_:)``.
    package func work(
        at tenant: Tenant, failed: (any Error) -> Void, _ body: (any TenantStore) async throws -> Void
    ) async {
        await attempt(failed: failed) { try await body(try await open(tenant)) }
    }

    /// Runs `body`. A failure because the container was deleted meanwhile is ignored.
    ///
    /// - Parameter failed: Called with any other error. A storage outage is reported to the operator.
    package func attempt(failed: (any Error) -> Void, _ body: () async throws -> Void) async {
        do { try await body() } catch StorageError.noSuchTenant {} catch {
            runner.outage.note(error)
            failed(error)
        }
    }

    /// Completes the deletion of everything that depends on deleted records.
    ///
    /// - Parameter keep: Called between two transactions.
    package func carryOnCascades(of store: any TenantStore, keep: () async throws -> Void) async throws {
        while true {
            let waiting = try await rows(PendingCascadeRow.waiting(limit: 16), from: store)
            guard let cascades = ContinueCascades(waiting, now: now) else { return }
            try await runner.commit(cascades.reading, to: store, decide: cascades.decide)
            try await keep()
        }
    }
}
