import Crypto
import NephosRunner

/// The owner of an installation's passkeys: a host, including all hosts below it. Browsers use a passkey only on pages of its
/// relying party, so it must not change while there are any.
struct RelyingParty: Sendable, Equatable {
    let host: String

    /// The relying party of a server on a local machine.
    static let local = RelyingParty(host: "localhost")

    init(host: String) { self.host = host }

    /// - Parameters:
    ///   - said: The operator's choice; nil uses the host of `publicURL`.
    ///   - publicURL: nil if not configured.
    ///   - isLocal: ``FeatureHost/isLocal``
    /// - Returns: nil if the server has an IP address in place of a name, or if its name is not known: then there are no passkeys.
    /// - Throws: `EnvironmentProblem` for a relying party that browsers would refuse.
    static func of(
        _ said: String?, publicURL: PublicURL?, isLocal: Bool
    ) throws(EnvironmentProblem) -> RelyingParty? {
        let origin = publicURL.flatMap { WebOrigin($0.origin) }.map { $0.atLocalhost ?? $0 }
        let host = origin?.host ?? local.host
        let isAddress = origin?.isAddress ?? false
        guard let said = said?.lowercased() else {
            // The stored party must not depend on the host that a proxy passes on from a request.
            return isAddress || publicURL == nil && !isLocal ? nil : RelyingParty(host: host)
        }
        // A page may use its own host or a domain above it, but not a top-level domain such as com.
        guard said == host || host.hasSuffix(".\(said)") && said.contains("."), !isAddress
        else {
            throw EnvironmentProblem(
                description:
                    "--relying-party must be \(host), the host of --public-url, or a parent domain of that, not '\(said)'."
            )
        }
        return RelyingParty(host: said)
    }

    /// The relying party of a server.
    static func of(_ settings: FeatureSettings) throws(EnvironmentProblem) -> RelyingParty? {
        try of(settings.relyingParty, publicURL: settings.publicURL, isLocal: settings.isLocal)
    }

    /// SHA-256, as used by authenticators.
    var hash: [UInt8] { Array(SHA256.hash(data: Array(host.utf8))) }

    /// Whether pages of an origin may use its passkeys.
    func includes(_ origin: WebOrigin) -> Bool { origin.host == host || origin.host.hasSuffix(".\(host)") }
}
