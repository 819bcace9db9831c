package import Audience
package import NephosStorage

/// What an administrator of a server can do, shared by the command, the management API and the dashboard. This is the common
/// base; each module and feature adds its own operations.
///
/// Everything goes through the store's own transactions, so it works while a server runs on the same data and takes effect there
/// immediately. Values are validated first; a refused one is ``AdminError/invalid(_:)``.
package struct Administration: Sendable {
    package let runner: Runner
    package let inputs: Inputs
    /// Features linked into the program that take part in administrative changes and checks.
    let features: [Feature]
    package var engine: any StorageEngine { runner.engine }

    package init(engine: any StorageEngine, inputs: Inputs, features: [Feature] = []) {
        runner = Runner(engine: engine)
        self.inputs = inputs
        self.features = features
    }

    var guards: [SectionGuard] { features.flatMap(\.guards) }

    /// The features' own findings about an environment (``Feature/check``).
    package func ownFindings(in store: any TenantStore) throws(AdminError) -> [CheckFinding] {
        var findings: [CheckFinding] = []
        for feature in features { findings += try feature.check(self, store) }
        return findings
    }

    /// Notifies features that the demo container was created (``Feature/demoWasCreated``).
    package func announceDemo(_ tenant: Tenant, apiToken: String) async throws(AdminError) {
        for feature in features { try await feature.demoWasCreated(self, tenant, apiToken) }
    }

    /// Visits the clients that a feature counts, each in the form in which audience conditions evaluate it.
    ///
    /// - Returns: Whether any feature counts clients of this environment.
    package func forEachClient(
        of store: any TenantStore, now: Milliseconds, _ body: (EvaluationContext) -> Void
    ) throws(AdminError) -> Bool {
        for feature in features where try feature.clients(self, store, now, body) { return true }
        return false
    }

    /// The store of one environment of a container. - Throws: ``AdminError/noContainer(_:)``.
    package func store(_ tenant: Tenant) throws(AdminError) -> any TenantStore {
        _ = try Validation.containerID(tenant.container)
        do throws(StorageError) { return try runner.open(tenant) } catch {
            throw error == .noSuchTenant ? .noContainer(tenant.container) : .storage(error)
        }
    }

    /// Decides and writes in one transaction. First notes that background work will be due, because the process may end.
    package func commit<Answer: Sendable>(
        to store: any TenantStore, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws(AdminError) -> Answer {
        do { return try await write(to: store, set, decide) } catch { throw AdminError(error) }
    }

    /// ``commit(to:_:_:)``, but throws the errors of the decision or the store.
    package func write<Answer: Sendable>(
        to store: any TenantStore, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        // First: once the write is committed, its answer is returned, whatever fails afterwards.
        try noteWork(in: store)
        let answer = try await runner.commit(set, to: store, decide: decide)
        // The work that the write asks for. The write is committed: if this fails or the process ends first, upkeep finds it.
        do throws(StorageError) { try runner.noteWritten(now: inputs.now()) } catch { runner.outage.note(error) }
        return answer
    }

    /// Decides and writes in the directory in one transaction, and notes the work that the write asks for, because the process may
    /// end.
    package func commitDirectory<Answer: Sendable>(
        _ set: ReadSet, _ decide: (Reading) throws -> Decision<Answer>
    ) throws(AdminError) -> Answer {
        do {
            let answer = try runner.commitDirectory(set, decide: decide)
            // The write is committed: if this fails, a server finds the work within a minute.
            do throws(StorageError) { try runner.noteWritten(now: inputs.now()) } catch { runner.outage.note(error) }
            return answer
        } catch { throw AdminError(error) }
    }

    /// Notes work that the engine is about to begin in a tenant, so that a server completes it if this process ends first.
    package func noteWork(in store: any TenantStore) throws(StorageError) {
        try runner.noteWork(in: store.tenant, now: inputs.now())
    }

    /// Reads from one snapshot.
    package func read(_ store: any TenantStore, _ set: ReadSet = ReadSet()) throws(AdminError) -> Reading {
        try stored { () throws(StorageError) in try store.read(set) }
    }

    /// The rows that a scan finds.
    package func rows<Row: StoredRow>(_ scan: Scan<Row>, of store: any TenantStore) throws(AdminError) -> [Row] {
        try stored { () throws(StorageError) in try store.rows(scan) }
    }

    /// Runs `body` and wraps what the store throws.
    package func stored<Value>(_ body: () throws(StorageError) -> Value) throws(AdminError) -> Value {
        do { return try body() } catch { throw .storage(error) }
    }
}
