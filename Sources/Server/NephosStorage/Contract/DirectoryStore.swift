/// What an installation has beside its tenants: accounts, the list of containers, and the rows of other tables that are of no
/// tenant (``Table/Owner/installation``). All calls may wait.
///
/// A tenant and the directory are two stores, and may lie on two disks: what must change both takes two commits, and says which
/// goes first. Making and deleting a container is one commit here, of which an engine makes one.
public protocol DirectoryStore: Sendable {
    /// The described tables of which it has those of the installation.
    var described: TableSet { get }

    /// Reads everything in `set`, which asks for nothing but rows of described tables (``ReadSet/ask(_:)``).
    ///
    /// - Throws: ``StorageError/failed(_:)`` where it asks for anything of a tenant.
    func read(_ set: ReadSet) throws(StorageError) -> Reading

    /// Decides and writes in one transaction, and answers once it is durable.
    ///
    /// - Parameter decide: Pure and synchronous, and may be called again, as that of ``TenantStore/commit(_:decide:completion:)``.
    /// - Throws: What it throws, too; then nothing is written.
    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer
}

/// What a commit of the directory does to containers, beside their rows.
public struct ContainerChange: Sendable {
    /// Tenants that come, with their container's row.
    public var created: [TenantSeed] = []
    /// A container whose row goes, with everything in it and at once for every process, and when.
    public var deleted: (id: String, at: Milliseconds)?

    /// Creates a change that makes and deletes no container.
    public init() {}

    package var isEmpty: Bool { created.isEmpty && deleted == nil }
}

extension DirectoryStore {
    /// The tables of the server alone.
    public var described: TableSet { .server }

    /// The rows that one scan finds.
    ///
    /// - Throws: ``StorageError``, as ``read(_:)``.
    public func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] {
        var set = ReadSet()
        set.ask(scan)
        return try read(set)[scan]
    }
}
