/// Limits of ``SQLiteEngine``.
public struct SQLiteOptions: Sendable {
    /// Tenants kept open. The one that was used longest ago is closed when one more is opened; those in use stay
    /// open, even beyond this number.
    public var openTenants = 64
    /// Commits that may wait in one tenant; one more answers ``StorageError/busy``.
    public var waitingCommits = 1_000
    /// Idle connections for reading that a tenant keeps.
    public var idleReaders = 3

    /// The limits of docs/protocol.md.
    public init() {}
}
