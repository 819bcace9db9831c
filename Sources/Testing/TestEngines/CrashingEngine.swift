package import NephosStorage

/// An engine whose process dies at a step. Reads and commits of its tenants are steps.
package final class CrashingEngine: StorageEngine {
    private let engine: any StorageEngine
    private let fuse: Fuse

    package init(_ engine: any StorageEngine, _ fuse: Fuse) {
        self.engine = engine
        self.fuse = fuse
    }

    package var name: String { engine.name }

    private func alive<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        if fuse.isBlown { throw .closed }
        return try body()
    }

    package var readsWait: Bool { engine.readsWait }
    /// Each process scans everything when it starts.
    package let jobs: any JobStore = MemoryJobs()
    package func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool {
        try engine.sweepDeletedContainers(rows: rows)
    }
    package func probe() throws(StorageError) { try engine.probe() }

    package func opened(_ tenant: Tenant) -> (any TenantStore)? {
        fuse.isBlown ? nil : engine.opened(tenant).map { CrashingStore($0, fuse) }
    }

    package func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        try alive { () throws(StorageError) in try engine.open(tenant) }.map { CrashingStore($0, fuse) }
    }

    package var directory: any DirectoryStore { CrashingDirectory(directory: engine.directory, fuse: fuse) }

    package func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews] {
        try alive { () throws(StorageError) in try engine.news(of: topics) }
    }

    package func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try alive { () throws(StorageError) in try engine.checkDirectory() }
    }

    package func listen(_ listener: @escaping @Sendable (StorageNews) -> Void) {
        let fuse = fuse
        engine.listen { if !fuse.isBlown { listener($0) } }
    }

    package func close() { engine.close() }
}

/// A tenant of such an engine. Maintenance calls, which delivery does not use, are forwarded.
private final class CrashingStore: StandInStore {
    let store: any TenantStore
    private let fuse: Fuse

    init(_ store: any TenantStore, _ fuse: Fuse) {
        self.store = store
        self.fuse = fuse
    }

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        try fuse.step { () throws(StorageError) in try store.read(set) }
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        fuse.step(completion: completion) { store.commit(set, decide: decide, completion: $0) }
    }
}

private struct CrashingDirectory: DirectoryStore {
    let directory: any DirectoryStore
    let fuse: Fuse

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        if fuse.isBlown { throw .closed }
        return try directory.read(set)
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        if fuse.isBlown { throw StorageError.closed }
        return try directory.commit(set, decide: decide)
    }
}
