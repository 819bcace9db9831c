package import Audience
package import NephosStorage

/// What an administrator of a server can do, once for the command, the management API and the console: here what all of it stands
/// on; each room and each feature adds what is its own.
///
/// Everything goes through the store's own transactions, so it works beside a running server on the same data and
/// takes effect there at once. Values are checked first; a refused one is ``AdminError/invalid(_:)``.
package struct Administration: Sendable {
    package let runner: Runner
    package let inputs: Inputs
    /// What the program has beside the core, as far as it has a say about what administration changes and checks.
    let features: [Feature]
    package var engine: any StorageEngine { runner.engine }

    package init(engine: any StorageEngine, inputs: Inputs, features: [Feature] = []) {
        runner = Runner(engine: engine)
        self.inputs = inputs
        self.features = features
    }

    var guards: [SectionGuard] { features.flatMap(\.guards) }

    /// What features find of their own in an environment (``Feature/check``).
    package func ownFindings(in store: any TenantStore) throws(AdminError) -> [CheckFinding] {
        var findings: [CheckFinding] = []
        for feature in features { findings += try feature.check(self, store) }
        return findings
    }

    /// Tells features of the container that is there to try things with (``Feature/demoIsMade``).
    package func tellOfDemo(_ tenant: Tenant, apiToken: String) async throws(AdminError) {
        for feature in features { try await feature.demoIsMade(self, tenant, apiToken) }
    }

    /// Goes over the clients that a feature counts, each as conditions of audiences judge it.
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

    /// Notes that there will be background work to do, since the process may end, and decides and writes in one transaction.
    package func commit<Answer: Sendable>(
        to store: any TenantStore, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws(AdminError) -> Answer {
        do { return try await write(to: store, set, decide) } catch { throw AdminError(error) }
    }

    /// ``commit(to:_:_:)``, with what the decision or the store throws.
    package func write<Answer: Sendable>(
        to store: any TenantStore, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        // First: what is committed is answered, whatever fails then.
        try noteWork(in: store)
        let answer = try await runner.commit(set, to: store, decide: decide)
        // What it asks for besides. It is committed: should this fail, or the process die first, upkeep sees to it.
        do throws(StorageError) { try runner.noteWritten(now: inputs.now()) } catch { runner.outage.note(error) }
        return answer
    }

    /// Decides and writes in the directory in one transaction, and has the work noted that it asks for, since the process may end.
    package func commitDirectory<Answer: Sendable>(
        _ set: ReadSet, _ decide: (Reading) throws -> Decision<Answer>
    ) throws(AdminError) -> Answer {
        do {
            let answer = try runner.commitDirectory(set, decide: decide)
            // It is committed: should this fail, a server finds it within a minute.
            do throws(StorageError) { try runner.noteWritten(now: inputs.now()) } catch { runner.outage.note(error) }
            return answer
        } catch { throw AdminError(error) }
    }

    /// Has what the engine is about to begin in a tenant ended by a server, should this process die before.
    package func noteWork(in store: any TenantStore) throws(StorageError) {
        try runner.noteWork(in: store.tenant, now: inputs.now())
    }

    /// Reads from one snapshot.
    package func read(_ store: any TenantStore, _ set: ReadSet = ReadSet()) throws(AdminError) -> Reading {
        try stored { () throws(StorageError) in try store.read(set) }
    }

    /// The rows that one scan finds.
    package func rows<Row: StoredRow>(_ scan: Scan<Row>, of store: any TenantStore) throws(AdminError) -> [Row] {
        try stored { () throws(StorageError) in try store.rows(scan) }
    }

    /// Runs `body` and wraps what the store throws.
    package func stored<Value>(_ body: () throws(StorageError) -> Value) throws(AdminError) -> Value {
        do { return try body() } catch { throw .storage(error) }
    }
}
