/// What became of a tenant, for who remembers something of it or waits: the newest of each, perhaps of several snapshots.
public struct TenantNews: Sendable, Equatable {
    /// ``CatalogHead/version``.
    public var catalogVersion: Int64
    /// ``CatalogHead/endedSessions``.
    public var endedSessions: Int64
    /// ``NewsRow/number`` of each topic that was asked for and ever posted.
    public var numbers: [Topic: Int64]

    /// Creates news of what was read.
    public init(catalogVersion: Int64, endedSessions: Int64 = 0, numbers: [Topic: Int64] = [:]) {
        self.catalogVersion = catalogVersion
        self.endedSessions = endedSessions
        self.numbers = numbers
    }
}
