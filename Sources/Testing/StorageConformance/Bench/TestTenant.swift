import CloudKitWire
package import NephosStorage
import Synchronization

/// A container created for one case: its engine, its development tenant, and the interfaces that cases use.
final class TestTenant: Sendable {
    static let container = "iCloud.org.example.conformance"
    /// The type of records in cases that do not depend on it; in the catalog from the start.
    static let note: TypeNumber = 1
    /// A second type, for filters.
    static let task: TypeNumber = 2

    private struct Open {
        var engine: any StorageEngine
        var store: any TenantStore
        /// Additional open engines.
        var others: [any StorageEngine] = []
    }

    let name: Tenant
    private let open: EngineOpening
    private let now: Mutex<Open>

    /// Creates the container, unless another process has already created it.
    init(_ open: @escaping EngineOpening) throws {
        name = .conformance
        self.open = open
        let engine = try open()
        do {
            if try engine.open(name) == nil {
                try engine.createContainer(
                    ContainerRow(id: Self.container, createdAt: 1), seeds: Environment.allCases.map(Self.seed))
            }
            now = Mutex(Open(engine: engine, store: try Self.store(of: name, in: engine)))
        } catch {
            engine.close()
            throw error
        }
    }

    private init(_ name: Tenant, _ open: @escaping EngineOpening, in engine: any StorageEngine) throws {
        self.name = name
        self.open = open
        now = Mutex(Open(engine: engine, store: try Self.store(of: name, in: engine)))
    }

    var engine: any StorageEngine { now.withLock { $0.engine } }
    var store: any TenantStore { now.withLock { $0.store } }

    /// Lane 1 of the public database.
    var publicDatabase: TestDatabase { TestDatabase(tenant: self, number: 1, user: UserID(high: 0, low: 0)) }

    /// Closes the engine, and opens it again as after a restart.
    func restart() throws {
        engine.close()
        let engine = try open()
        let store = try Self.store(of: name, in: engine)
        now.withLock {
            $0.engine = engine
            $0.store = store
        }
    }

    /// The same tenant, through another engine on the same storage.
    func secondEngine() throws -> TestTenant {
        let engine = try open()
        now.withLock { $0.others.append(engine) }
        return try TestTenant(name, open, in: engine)
    }

    /// The container's other tenant, in the same engine.
    func inProduction() throws -> TestTenant {
        try TestTenant(Tenant(container: Self.container, environment: .production), open, in: engine)
    }

    /// Opens the tenant again in the same engine, after its container was deleted and created again.
    func reopen() throws {
        let store = try Self.store(of: name, in: engine)
        now.withLock { $0.store = store }
    }

    func closeAll() {
        let engines = now.withLock { [$0.engine] + $0.others }
        for engine in engines { engine.close() }
    }

    static func seed(_ environment: Environment) -> TenantSeed {
        let tenant = Tenant(container: container, environment: environment)
        return TenantSeed(
            head: CatalogHead(
                tenant: tenant, signingKey: Array(repeating: 7, count: 32), fileKey: Array(repeating: 8, count: 32),
                createdAt: 1),
            rows: [
                .role(.world), .role(.icloud), .role(.creator),
                .type(RecordTypeRow(number: note, name: "Note")), .type(RecordTypeRow(number: task, name: "Task")),
                .field(FieldRow(type: note, name: "text", kind: .string, options: .queryable)),
                .grant(GrantRow(type: note, role: RoleRow.world.number, rights: .read)),
            ])
    }

    private static func store(of tenant: Tenant, in engine: any StorageEngine) throws -> any TenantStore {
        try unwrap(try engine.open(tenant), "the tenant \(tenant)")
    }
}

extension Tenant {
    /// The development tenant of the container that every case creates.
    package static let conformance = Tenant(container: TestTenant.container, environment: .development)
}

extension TestTenant {
    /// The current catalog of the tenant.
    func catalog() throws -> Catalog { try store.read(ReadSet()).catalog }

    /// Sweeps until nothing is left, some rows at a time.
    func sweepAll(rows: Int = 100, at now: Milliseconds = 1) async throws {
        try await untilDone("sweep") { try await $0.sweepDeadZones(rows: rows, at: now) }
    }

    /// Purges until nothing from before `time` is left, some rows at a time.
    func purgeAll(before time: Milliseconds, rows: Int = 100) async throws {
        try await untilDone("purge") { try await $0.purgeTombstones(deletedBefore: time, rows: rows) }
    }

    private func untilDone(_ what: String, _ step: (any TenantStore) async throws -> Bool) async throws {
        for _ in 0..<10_000 { guard try await step(store) else { return } }
        throw PromiseBroken("the \(what) of a few rows does not end", file: #fileID, line: #line)
    }

    /// - Throws: ``PromiseBroken`` if the engine's own check finds anything.
    func expectNothingFound() throws {
        let findings = try store.check { _, _ in }
        try expectEqual(findings, [], "the check of a store that only the engine wrote")
    }
}
