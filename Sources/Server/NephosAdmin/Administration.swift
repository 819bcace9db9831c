public import NephosStorage

/// What an administrator of a server can do, once for the command, the management API and the console.
///
/// Everything goes through the store's own transactions, so it works beside a running server on the same data and
/// takes effect there at once. Values are checked first; a refused one is ``AdminError/invalid(_:)``.
public struct Administration: Sendable {
    let engine: any StorageEngine
    let inputs: Inputs

    public init(engine: any StorageEngine, inputs: Inputs) {
        self.engine = engine
        self.inputs = inputs
    }

    /// The store of one environment of a container. - Throws: ``AdminError/noContainer(_:)``.
    func store(_ tenant: Tenant) throws(AdminError) -> any TenantStore {
        _ = try Validation.containerID(tenant.container)
        let store = try stored { () throws(StorageError) in try engine.open(tenant) }
        guard let store else { throw .noContainer(tenant.container) }
        return store
    }

    /// Decides and writes in one transaction.
    func commit<Answer: Sendable>(
        to store: any TenantStore, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws(AdminError) -> Answer {
        do { return try await store.commit(set, decide: decide) } catch { throw AdminError(error) }
    }

    /// Reads from one snapshot.
    func read(_ store: any TenantStore, _ set: ReadSet = ReadSet()) throws(AdminError) -> Reading {
        try stored { () throws(StorageError) in try store.read(set) }
    }

    /// Runs `body` and wraps what the store throws.
    func stored<Value>(_ body: () throws(StorageError) -> Value) throws(AdminError) -> Value {
        do { return try body() } catch { throw .storage(error) }
    }
}
