/// Which piece of background work: what is done, and of what.
public struct JobKey: Hashable, Sendable, Comparable {
    /// The same for all pieces of one kind.
    public var name: String
    /// What it is done of, a tenant mostly; empty for the whole store.
    public var subject: String

    /// Names a piece of work of the whole store, or of a subject.
    public init(_ name: String, of subject: String = "") {
        self.name = name
        self.subject = subject
    }

    /// Names a piece of work of one tenant.
    public init(_ name: String, of tenant: Tenant) { self.init(name, of: tenant.description) }

    /// The tenant that it is done of; nil where it is of something else.
    public var tenant: Tenant? {
        guard let slash = subject.lastIndex(of: "/") else { return nil }
        let environment = Environment(rawValue: String(subject[subject.index(after: slash)...]))
        return environment.map { Tenant(container: String(subject[..<slash]), environment: $0) }
    }

    public static func < (left: JobKey, right: JobKey) -> Bool {
        (left.name, left.subject) < (right.name, right.subject)
    }
}

/// A job that a process has taken over, until its lease is over.
public struct LeasedJob: Sendable, Equatable {
    /// Which piece of work it is.
    public var key: JobKey
    /// What the one who had it before left with ``JobStore/keep(_:by:until:progress:)``; empty at the beginning.
    public var progress: [UInt8]

    /// Creates a job as its engine found it.
    public init(key: JobKey, progress: [UInt8]) {
        self.key = key
        self.progress = progress
    }
}

/// When jobs are due, and who is at them (table `jobs`, docs/decisions/0019).
///
/// A job belongs to the process that leased it, until it ends it or the lease is over; of one that died another takes it over,
/// with its progress. Rows say only what could be found out again by looking into every tenant, so they have no checksum. All
/// calls may wait. Processes are told apart by the numbers they chose at random; times are milliseconds since 1970.
public protocol JobStore: Sendable {
    /// Jobs are due at these moments at the latest, those that are under way once more. Those that are new are made.
    ///
    /// - Throws: ``StorageError``; then nothing was noted, but for what `unavailable` says.
    func note(_ jobs: [JobKey: Milliseconds]) throws(StorageError)

    /// Takes over jobs of a name that are due and nobody's, the first due first.
    ///
    /// - Parameters:
    ///   - holder: The number of the process that takes them.
    ///   - until: When the leases are over, unless they are kept.
    ///   - limit: The most jobs to take, at least 1.
    /// - Throws: ``StorageError``; after `unavailable` some may have been taken, which come back when their leases are
    ///   over.
    func lease(
        _ name: String, by holder: Int64, until: Milliseconds, now: Milliseconds, limit: Int
    ) throws(StorageError) -> [LeasedJob]

    /// Makes a job whose lease is taken from the beginning, so that it is run once its holder is no more.
    ///
    /// - Throws: ``StorageError``; then no job was made, but for what `unavailable` says.
    func hold(_ key: JobKey, by holder: Int64, until: Milliseconds) throws(StorageError)

    /// Prolongs a lease, and remembers how far the job has come.
    ///
    /// - Returns: Whether it was still the holder's; if not, another may be at it, and goes on.
    /// - Throws: ``StorageError``: whether the lease is still the holder's is not known then.
    func keep(
        _ key: JobKey, by holder: Int64, until: Milliseconds, progress: [UInt8]
    ) throws(StorageError) -> Bool

    /// Gives a job back.
    ///
    /// - Parameters:
    ///   - next: When it is due again, unless it was noted for before that since it was leased; nil if it is over, and then
    ///     only such a note keeps it.
    ///   - progress: Where the next run begins; empty for the beginning.
    /// - Throws: ``StorageError``: the job comes back when its lease is over, if it was not given back.
    func end(
        _ key: JobKey, by holder: Int64, next: Milliseconds?, progress: [UInt8]
    ) throws(StorageError)
}
