package import NephosStorage

/// Limits of ``PostgresEngine``.
package struct PostgresOptions: Sendable {
    /// Maximum number of connections of this process to the database. Half of them may write at the same time.
    package var connections = 16
    /// Maximum number of waiting commits; one more fails with ``StorageError/busy``.
    package var waitingCommits = 4_000
    /// Maximum number of cached tenants. For one more, the least recently used one is dropped.
    package var openTenants = 1_000

    /// The described tables.
    package var tables = TableSet.server

    /// How long to wait for another process that changes the tables.
    package var migrationWait = Duration.seconds(600)
    /// Called with a sentence when such a wait begins.
    package var note: @Sendable (String) -> Void = { _ in }

    /// The keys that seal secrets; without keys, only a database in the clear can be used.
    package var secretKeys = SecretKeys([], from: "NEPHOS_SECRET_KEY_FILE")
    /// Opens a database whose key is lost, so that its secrets can be removed.
    package var acceptsLostKey = false

    /// Opens a database that a copy has not filled yet (``CopyStore``).
    package var acceptsUnfinishedCopy = false

    /// Called after each transaction with its contents, on a writer's thread, so it must not block.
    package var committed: @Sendable (CommitReport) -> Void = { _ in }

    /// Records what is sent.
    package var recording: CallRecording?

    /// Creates options with the limits of docs/protocol.md.
    package init() {}
}
