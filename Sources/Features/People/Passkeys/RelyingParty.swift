import Crypto
import NephosRunner

/// Whose the passkeys of an installation are: a host, and with it all hosts below it. Browsers use a passkey on pages of its relying
/// party alone, so it never changes while there are any.
struct RelyingParty: Sendable, Equatable {
    let host: String

    /// That of a server on somebody's own machine.
    static let local = RelyingParty(host: "localhost")

    init(host: String) { self.host = host }

    /// - Parameters:
    ///   - said: What the operator says; nil takes the host of `publicURL`.
    ///   - publicURL: nil is this machine.
    /// - Returns: nil where the server has no name, only an address: there are no passkeys then.
    /// - Throws: `EnvironmentProblem` for one that browsers would refuse.
    static func of(_ said: String?, publicURL: String?) throws(EnvironmentProblem) -> RelyingParty? {
        let origin = publicURL.flatMap { WebOrigin($0) }
        let host = origin.map { $0.atLocalhost?.host ?? $0.host } ?? local.host
        guard let said = said?.lowercased() else {
            return WebOrigin.address(host) == nil ? RelyingParty(host: host) : nil
        }
        // A page may name its own host, or one that it is below; never what is no site of anybody's, such as com.
        guard said == host || host.hasSuffix(".\(said)") && said.contains("."), WebOrigin.address(host) == nil
        else {
            throw EnvironmentProblem(
                description:
                    "--relying-party takes the host of --public-url, or a domain above it, not '\(said)'. That host is \(host)."
            )
        }
        return RelyingParty(host: said)
    }

    /// That of a server.
    static func of(_ settings: FeatureSettings) throws(EnvironmentProblem) -> RelyingParty? {
        try of(settings.relyingParty, publicURL: settings.publicURL)
    }

    /// SHA-256, as authenticators name it.
    var hash: [UInt8] { Array(SHA256.hash(data: Array(host.utf8))) }

    /// Whether pages of an origin may use its passkeys.
    func includes(_ origin: WebOrigin) -> Bool { origin.host == host || origin.host.hasSuffix(".\(host)") }
}
