/// Identifies a piece of background work by its kind and its subject.
public struct JobKey: Hashable, Sendable, Comparable {
    /// The kind of work: the same name for all pieces of one kind.
    public var name: String
    /// What the work is about, usually a tenant; empty for the whole store.
    public var subject: String

    /// Identifies a piece of work on the whole store, or on a subject.
    public init(_ name: String, of subject: String = "") {
        self.name = name
        self.subject = subject
    }

    /// Identifies a piece of work on one tenant.
    public init(_ name: String, of tenant: Tenant) { self.init(name, of: tenant.description) }

    /// The tenant that the work is about; nil if it is about something else.
    public var tenant: Tenant? {
        guard let slash = subject.lastIndex(of: "/") else { return nil }
        let environment = Environment(rawValue: String(subject[subject.index(after: slash)...]))
        return environment.map { Tenant(container: String(subject[..<slash]), environment: $0) }
    }

    public static func < (left: JobKey, right: JobKey) -> Bool {
        (left.name, left.subject) < (right.name, right.subject)
    }
}

/// A job that a process runs until its lease expires.
public struct LeasedJob: Sendable, Equatable {
    /// Identifies the piece of work.
    public var key: JobKey
    /// What the previous holder stored with ``JobStore/keep(_:by:until:progress:)`` or
    /// ``JobStore/end(_:by:next:progress:)``; empty at the beginning.
    public var progress: [UInt8]

    /// Creates a job as the engine found it.
    public init(key: JobKey, progress: [UInt8]) {
        self.key = key
        self.progress = progress
    }
}

/// When background jobs are due, and which process runs each of them (table `jobs`, docs/decisions/0019).
///
/// A job belongs to the process that leased it, until that process ends the job or the lease expires. If a process
/// dies, another one takes over its jobs, with their progress. The rows contain only what a search of every tenant
/// would find again, so they have no checksum. All calls may block. Processes are identified by numbers that they chose
/// at random; times are milliseconds since 1970.
public protocol JobStore: Sendable {
    /// Records that jobs are due at these times at the latest. A job that is running will run once more; one that does
    /// not exist is created.
    ///
    /// - Throws: ``StorageError``; then nothing was recorded, except possibly after `unavailable`.
    func note(_ jobs: [JobKey: Milliseconds]) throws(StorageError)

    /// Leases jobs of a name that are due and not leased, the first due first.
    ///
    /// - Parameters:
    ///   - holder: The number of the process that leases them.
    ///   - until: When the leases expire, unless they are extended.
    ///   - limit: Maximum number of jobs to lease, at least 1.
    /// - Throws: ``StorageError``; after `unavailable` some jobs may have been leased, and become available again when
    ///   their leases expire.
    func lease(
        _ name: String, by holder: Int64, until: Milliseconds, now: Milliseconds, limit: Int
    ) throws(StorageError) -> [LeasedJob]

    /// Creates a job that is leased from the beginning, so that it is run once its holder has died. A job that exists
    /// is leased, regardless of its holder.
    ///
    /// - Throws: ``StorageError``; then no job was created or leased, except possibly after `unavailable`.
    func hold(_ key: JobKey, by holder: Int64, until: Milliseconds) throws(StorageError)

    /// Extends a lease, and stores the progress of the job.
    ///
    /// - Returns: Whether the lease still belonged to the holder; if not, another process may have taken over the job,
    ///   and continues it.
    /// - Throws: ``StorageError``; then it is unknown whether the lease still belongs to the holder.
    func keep(
        _ key: JobKey, by holder: Int64, until: Milliseconds, progress: [UInt8]
    ) throws(StorageError) -> Bool

    /// Ends the lease of a job.
    ///
    /// - Parameters:
    ///   - next: When the job is due again, unless ``note(_:)`` recorded an earlier time since it was leased. nil if
    ///     the job is finished: it is removed, unless it was noted since it was leased.
    ///   - progress: Where the next run begins; empty for the beginning.
    /// - Throws: ``StorageError``; if the lease was not ended, the job becomes available again when the lease expires.
    func end(
        _ key: JobKey, by holder: Int64, next: Milliseconds?, progress: [UInt8]
    ) throws(StorageError)
}
