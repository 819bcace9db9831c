package import NephosDomain
import NephosNetwork
package import NephosRunner
package import NephosStorage

/// The configuration of a server, except its network.
package struct BackendConfiguration: Sendable {
    /// Where clients reach the server; nil to use what each connection reached.
    package var publicURL: PublicURL?
    /// Only this machine reaches the server, and not through a proxy (``FeatureHost/isLocal``).
    package var isLocal = false
    /// The host at which a separate address for monitoring was configured.
    package var monitorHost: String?
    /// How far the date of a signed request may be off.
    package var signatureWindowMilliseconds: Milliseconds = 600_000
    /// The largest body that is accepted before its sender is known.
    package var unrecognizedBodyBytesMax = 16 << 10
    /// The age in days at which tombstones are deleted; older change tokens are then expired.
    package var tombstoneDays = 90
    /// How many days deleted records of public databases can be restored.
    package var trashDays = 30
    /// The maximum delay between a save and the resulting background work (``Upkeep``).
    package var upkeepSeconds = 60
    /// The time after which an unresponsive server loses its background work to another (``Jobs``).
    package var jobLeaseMilliseconds: Milliseconds = 30_000
    /// The maximum size of one file, in bytes.
    package var assetBytesMax: Int64 = 50 << 20
    /// Limits for files that no record references.
    package var unreferencedFiles = UnreferencedFileLimits()
    /// The container that the front page shows as a demo; nil for none.
    package var demo: Tenant?
    /// The maximum number of concurrent file transfers; more are answered with TRY_AGAIN_LATER.
    package var openFilesMax = Int.max

    package init() {}

    /// Names of this server that are configured.
    var names: [String] {
        let ofURL = publicURL.map { HostAndPort.host(of: $0.host) }
        return [ofURL, monitorHost].compactMap(\.self)
    }

    /// The limits for requests.
    package var limits: DomainLimits {
        var limits = DomainLimits()
        limits.assetBytesMax = assetBytesMax
        limits.unreferencedFiles = unreferencedFiles
        return limits
    }
}
