/// What an installation stores outside its tenants: accounts, the list of containers, and the rows of other tables that
/// do not belong to a tenant (``Table/Owner/installation``). All calls may block.
///
/// A tenant and the directory are two stores, possibly on two disks: an operation that changes both needs two commits,
/// and documents which of them comes first. Creating or deleting a container is a single commit of the directory: the
/// engine makes it take effect as one.
public protocol DirectoryStore: Sendable {
    /// The described tables of the store. The directory contains those that belong to the installation.
    var described: TableSet { get }

    /// Reads everything in `set`, which may request only rows of described tables (``ReadSet/ask(_:)``).
    ///
    /// - Throws: ``StorageError``; it is ``StorageError/failed(_:)`` if `set` requests anything of a tenant.
    func read(_ set: ReadSet) throws(StorageError) -> Reading

    /// Decides and writes in one transaction, and returns once it is durable.
    ///
    /// - Parameter decide: Pure and synchronous. It may be called again, like the one of
    ///   ``TenantStore/commit(_:decide:completion:)``.
    /// - Throws: What `decide` throws: then nothing is written. Otherwise ``StorageError``.
    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer
}

/// What a commit of the directory does to containers, in addition to writing their rows.
public struct ContainerChange: Sendable {
    /// Tenants that are created together with the row of their container.
    public var created: [TenantSeed] = []
    /// The container whose row is removed, and the time of the deletion. Everything in the container is deleted with
    /// it, immediately for every process.
    public var deleted: (id: String, at: Milliseconds)?

    /// Creates a change that neither creates nor deletes a container.
    public init() {}

    package var isEmpty: Bool { created.isEmpty && deleted == nil }
}

extension DirectoryStore {
    /// The tables of the server only.
    public var described: TableSet { .server }

    /// The rows that one scan finds.
    ///
    /// - Throws: ``StorageError``, like ``read(_:)``.
    public func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] {
        var set = ReadSet()
        set.ask(scan)
        return try read(set)[scan]
    }
}
