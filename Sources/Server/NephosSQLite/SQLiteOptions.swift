package import NephosStorage

/// Limits of ``SQLiteEngine``.
package struct SQLiteOptions: Sendable {
    /// Maximum number of open tenants. The least recently used one is closed when one more is opened; those in use stay open,
    /// even beyond this number.
    package var openTenants = 64
    /// Maximum number of waiting commits per tenant; one more fails with ``StorageError/busy``.
    package var waitingCommits = 1_000
    /// After this number of milliseconds a group of commits accepts no more into its transaction.
    package var groupMilliseconds = CommitQueue.groupMilliseconds
    /// Idle connections for reading that a tenant keeps: as many as the threads of a server can use at the same time. Opening
    /// one costs more than most reads. Connections that were not needed for 10 s are closed by later reads.
    package var idleReaders = 10

    /// The described tables.
    package var tables = TableSet.server

    /// The keys that seal secrets; nil for those in the folder's own file.
    package var secretKeys: SecretKeys?
    /// Opens a folder whose key is lost, so that its secrets can be removed.
    package var acceptsLostKey = false

    /// Opens a folder that a copy has not filled yet (``CopyStore``).
    package var acceptsUnfinishedCopy = false

    /// Called after each transaction with its contents, on the writer's thread, so it must not block.
    package var committed: @Sendable (CommitReport) -> Void = { _ in }

    /// Creates options with the limits of docs/protocol.md.
    package init() {}
}
