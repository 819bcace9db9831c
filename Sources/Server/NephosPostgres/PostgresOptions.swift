package import NephosStorage

/// Limits of ``PostgresEngine``.
package struct PostgresOptions: Sendable {
    /// Most connections of this process to the database. Half of them may write at a time.
    package var connections = 16
    /// Commits that may wait; one more answers ``StorageError/busy``.
    package var waitingCommits = 4_000
    /// Tenants that are remembered. One more makes the process forget the one that was used longest ago.
    package var openTenants = 1_000

    /// The described tables.
    package var tables = TableSet.server

    /// Under which secrets are sealed; without any only a database in the clear can be used.
    package var secretKeys = SecretKeys([], from: "NEPHOS_SECRET_KEY_FILE")
    /// Opens a database whose key is lost, so that its secrets can be thrown away.
    package var acceptsLostKey = false

    /// Opens a database that a copy has not filled yet (``CopyStore``).
    package var acceptsUnfinishedCopy = false

    /// Told after each transaction what it carried. Called on a writer's thread, so it must not wait.
    package var committed: @Sendable (CommitReport) -> Void = { _ in }

    /// Takes down what is sent.
    package var recording: CallRecording?

    /// The limits of docs/protocol.md.
    package init() {}
}
