import AsyncHTTPClient
import NIOCore
import NephosNetwork
import Synchronization

/// Sends requests to URLs provided by others, over HTTP/1.1 and with at most 8 connections per host; waiting for a connection
/// counts against a request's timeout.
///
/// Each request resolves the host's name once, and is sent to an address that was found then and is permitted
/// (docs/decisions/0017).
package final class GuardedClient: Sendable {
    private let clients: PinnedClients
    let addressGuard: AddressGuard
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - timeout: For connecting, a bit less than this.
    ///   - roots: PEM certificates that are trusted in addition to the system's.
    ///   - allowing: Hosts that may be called although they are this machine or in a private network; names and addresses as in
    ///     URLs.
    ///   - resolve: nil to use the system's resolver.
    ///   - own: The addresses of this machine.
    ///   - wait: Returns after the given time, or when its task is cancelled.
    /// - Throws: ``InvalidRoots``.
    package init(
        timeout: Duration = .seconds(10), roots: [UInt8] = [], allowing: [String] = [], resolve: HostResolver? = nil,
        own: OwnAddresses = .ofSystem,
        wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) throws(InvalidRoots) {
        var settings = try ClientSettings.make(roots: roots, timeout: timeout)
        settings.httpVersion = .http1Only
        // Many servers close a connection after 5 s without a request, and one that is sent at that moment is lost.
        settings.connectionPool.idleTimeout = .seconds(4)
        clients = PinnedClients(settings)
        addressGuard = AddressGuard(
            allowed: Set(allowing.map { $0.lowercased().withoutBrackets }), resolve: resolve ?? SystemResolver.resolve,
            own: own)
        self.wait = wait
    }

    /// - Parameters:
    ///   - host: The host as it appears in the URL.
    ///   - timeout: For the whole exchange, from resolving the name to the end of the response.
    func exchange(_ message: Poster.Message, host: String, timeout: Duration) async throws(PostFailure) -> PostAnswer {
        try await Poster(timeout: timeout, wait: wait).send(message, by: route(to: host.withoutBrackets))
    }

    /// Tries the permitted addresses of the host one after the other, as they were resolved at first.
    private func route(to host: String) -> Poster.Route {
        let (clients, addressGuard) = (clients, addressGuard)
        let found = FoundAddresses()
        return { tried in
            if tried == 0 {
                let addresses = try await addressGuard.addresses(of: host)
                found.set(addresses)
            }
            let addresses = found.all
            guard tried < addresses.count else { return nil }
            return try clients.lend(PinnedClients.Pin(host: host, address: addresses[tried]))
        }
    }

    /// Closes all connections; running exchanges fail. Must be called once, before the client is released.
    package func shutdown() async throws { try await clients.close() }
}

extension String {
    /// An IPv6 address as it is written outside of URLs; any other text unchanged.
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}

/// The addresses that one exchange has resolved.
private final class FoundAddresses: Sendable {
    private let addresses = Mutex<[NetworkAddress]>([])

    var all: [NetworkAddress] { addresses.withLock { $0 } }

    func set(_ found: [NetworkAddress]) { addresses.withLock { $0 = found } }
}
