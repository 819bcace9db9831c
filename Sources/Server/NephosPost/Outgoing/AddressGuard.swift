import NIOCore
import NephosNetwork

/// Decides where a request may be sent: its URL comes from a user, and must not lead into the operator's own network.
struct AddressGuard: Sendable {
    /// The maximum number of addresses of one host to try.
    private static let addressesMax = 4

    /// Hosts that may be called whatever their addresses, in lower case, IPv6 without brackets.
    let allowed: Set<String>
    let resolve: HostResolver

    /// The addresses of `host` that may be called, in order.
    ///
    /// - Throws: ``PostFailure/cannotResolve``; ``PostFailure/notPublic(_:)`` if one of them belongs to this machine or to a
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

    /// The addresses of this machine's network interfaces; nil if the system does not report them, so that any address may be one
    /// of them.
    private static var own: Set<NetworkAddress>? {
        guard let devices = try? System.enumerateDevices() else { return nil }
        return Set(devices.compactMap { $0.address?.ipAddress.flatMap { NetworkAddress($0) } })
    }
}
