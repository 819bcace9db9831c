/// The news of a tenant, for processes that cache its data and for clients that wait. Each value is the newest one;
/// they may be from different snapshots.
public struct TenantNews: Sendable, Equatable {
    /// The version of the catalog: ``CatalogHead/version``.
    public var catalogVersion: Int64
    /// How many times sessions were ended early: ``CatalogHead/endedSessions``.
    public var endedSessions: Int64
    /// ``NewsRow/number`` of each requested topic that was ever posted.
    public var numbers: [Topic: Int64]

    /// Creates news from what was read.
    public init(catalogVersion: Int64, endedSessions: Int64 = 0, numbers: [Topic: Int64] = [:]) {
        self.catalogVersion = catalogVersion
        self.endedSessions = endedSessions
        self.numbers = numbers
    }
}
