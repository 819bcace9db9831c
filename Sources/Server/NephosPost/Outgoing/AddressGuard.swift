import NIOCore
package import NephosNetwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Decides where a request may be sent: its URL comes from a user, and must not lead into the operator's own network.
struct AddressGuard: Sendable {
    /// The maximum number of addresses of one host to try.
    private static let addressesMax = 4

    /// Hosts that may be called whatever their addresses, in lower case, IPv6 without brackets.
    let allowed: Set<String>
    let resolve: HostResolver
    let own: OwnAddresses

    /// The addresses of `host` that may be called, in order.
    ///
    /// - Throws: ``PostFailure/cannotResolve``; ``PostFailure/notPublic(_:)`` if one of them belongs to this machine or to a
    ///   private network; ``PostFailure/ownAddressesUnknown(_:)``.
    func addresses(of host: String) async throws(PostFailure) -> [NetworkAddress] {
        let found = await resolve(host)
        guard !found.isEmpty else { throw .cannotResolve }
        if !allowed.contains(host.lowercased()) {
            if let forbidden = found.first(where: { !$0.isPublic }) { throw .notPublic(forbidden) }
            let own = try own.list()
            if let forbidden = found.first(where: own.contains) { throw .notPublic(forbidden) }
        }
        return Array(found.prefix(Self.addressesMax))
    }
}

/// The addresses of this machine's network interfaces.
package struct OwnAddresses: Sendable {
    private let read: @Sendable () throws -> Set<NetworkAddress>

    /// - Parameter read: Throws if the system does not report them.
    package init(read: @escaping @Sendable () throws -> Set<NetworkAddress>) { self.read = read }

    package static let ofSystem = OwnAddresses {
        Set(try System.enumerateDevices().compactMap { $0.address?.ipAddress.flatMap { NetworkAddress($0) } })
    }

    /// - Throws: ``PostFailure/ownAddressesUnknown(_:)``.
    func list() throws(PostFailure) -> Set<NetworkAddress> {
        do { return try read() } catch {
            let code = (error as? IOError)?.errnoCode
            throw .ownAddressesUnknown(code.map { String(cString: strerror($0)) } ?? "\(error)")
        }
    }

    /// A sentence about what follows for requests, for logs; nil if the addresses can be listed.
    var warning: String? {
        do throws(PostFailure) {
            _ = try list()
            return nil
        } catch {
            return "webhooks and other requests to public hosts are refused: \(error.reason)."
        }
    }

    static func unknown(_ why: String) -> String {
        "the addresses of this machine cannot be listed (\(why)), and the host may be one of them: "
            + "let the server use netlink, under systemd with AF_NETLINK in RestrictAddressFamilies"
    }
}
