import NIOCore
import NephosNetwork

/// Decides where a request may go: its URL is somebody's wish, and must not lead into the operator's own network.
struct PlaceGuard: Sendable {
    /// Addresses of one host that are tried.
    private static let addressesMax = 4

    /// Hosts that may be called wherever they lead, in lower case, IPv6 without brackets.
    let allowed: Set<String>
    let resolve: HostResolver

    /// The addresses of `host` that may be called, in order.
    ///
    /// - Throws: ``PostFailure/cannotResolve``; ``PostFailure/notPublic(_:)`` where one of them is of this machine or of a
    ///   private network.
    func addresses(of host: String) async throws(PostFailure) -> [NetworkAddress] {
        let found = await resolve(host)
        guard !found.isEmpty else { throw .cannotResolve }
        if !allowed.contains(host.lowercased()) {
            let own = Self.own
            if let forbidden = found.first(where: { !$0.isPublic || own?.contains($0) != false }) {
                throw .notPublic(forbidden)
            }
        }
        return Array(found.prefix(Self.addressesMax))
    }

    /// What this machine's network cards have; nil where the system does not tell, and any address may be one of them.
    private static var own: Set<NetworkAddress>? {
        guard let devices = try? System.enumerateDevices() else { return nil }
        return Set(devices.compactMap { $0.address?.ipAddress.flatMap { NetworkAddress($0) } })
    }
}
