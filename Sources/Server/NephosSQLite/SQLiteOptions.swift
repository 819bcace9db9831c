package import NephosStorage

/// Limits of ``SQLiteEngine``.
package struct SQLiteOptions: Sendable {
    /// Tenants kept open. The one that was used longest ago is closed when one more is opened; those in use stay
    /// open, even beyond this number.
    package var openTenants = 64
    /// Commits that may wait in one tenant; one more answers ``StorageError/busy``.
    package var waitingCommits = 1_000
    /// After so many milliseconds a group of commits takes no more into its transaction.
    package var groupMilliseconds = CommitQueue.groupMilliseconds
    /// Idle connections for reading that a tenant keeps: as many as a server's threads can use at a time. To open one
    /// costs more than most reads. Those that were not needed for 10 s go with the next reads.
    package var idleReaders = 10

    /// The described tables.
    package var tables = TableSet.server

    /// Under which secrets are sealed; nil for the folder's own file.
    package var secretKeys: SecretKeys?
    /// Opens a folder whose key is lost, so that its secrets can be thrown away.
    package var acceptsLostKey = false

    /// Opens a folder that a copy has not filled yet (``CopyStore``).
    package var acceptsUnfinishedCopy = false

    /// Told after each transaction what it carried. Called on the writer's thread, so it must not wait.
    package var committed: @Sendable (CommitReport) -> Void = { _ in }

    /// The limits of docs/protocol.md.
    package init() {}
}
