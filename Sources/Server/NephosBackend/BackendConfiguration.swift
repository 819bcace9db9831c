package import NephosDomain
package import NephosStorage

/// What a server can be told that has nothing to do with its network.
package struct BackendConfiguration: Sendable {
    /// Scheme and authority by which clients reach the server; nil takes those of the connection.
    package var publicURL: String?
    /// How far the date of a signed request may be off.
    package var signatureWindowMilliseconds: Milliseconds = 600_000
    /// The longest body that is taken before its sender is known.
    package var unrecognizedBodyBytesMax = 16 << 10
    /// Tombstones older than this are forgotten; change tokens older than that are then expired.
    package var tombstoneDays = 90
    /// Deleted records of public databases can be restored for so long.
    package var trashDays = 30
    /// From a save to the background work that it leaves, at the latest (``Upkeep``).
    package var upkeepSeconds = 60
    /// After which a server that was not heard of loses its background work to another (``Jobs``).
    package var jobLeaseMilliseconds: Milliseconds = 30_000
    /// Bytes of one file.
    package var assetBytesMax: Int64 = 50 << 20
    /// Bytes of files that no record holds.
    package var unheldFiles = UnheldLimits()
    /// The container that the first page shows, for people to try things with; nil for none.
    package var demo: Tenant?
    /// Files that are sent and taken at the same time; more are answered TRY_AGAIN_LATER.
    package var openFilesMax = Int.max

    package init() {}

    /// What requests are held to.
    package var limits: DomainLimits {
        var limits = DomainLimits()
        limits.assetBytesMax = assetBytesMax
        limits.unheldFiles = unheldFiles
        return limits
    }
}
