import AsyncHTTPClient
import NIOCore
import NephosNetwork
import Synchronization

/// Sends requests to where URLs of others lead, over HTTP/1.1 and with at most 8 connections to a host; requests that wait for one
/// lose of their time.
///
/// Each resolves the host's name once, and goes to an address that was found then and may be called (docs/decisions/0017).
package final class GuardedClient: Sendable {
    private let clients: PinnedClients
    private let places: PlaceGuard
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - timeout: For connecting, a bit less than this.
    ///   - roots: PEM certificates that are trusted as well as the system's.
    ///   - allowing: Hosts that may be called though they lead to this machine or into a private network; names and addresses
    ///     as URLs have them.
    ///   - resolve: nil asks the system.
    ///   - wait: Returns after the time it is given, or when its task is cancelled.
    /// - Throws: ``InvalidRoots``.
    package init(
        timeout: Duration = .seconds(10), roots: [UInt8] = [], allowing: [String] = [], resolve: HostResolver? = nil,
        wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) throws(InvalidRoots) {
        var settings = try ClientSettings.make(roots: roots, timeout: timeout)
        settings.httpVersion = .http1Only
        // Many servers close after 5 s without a request, and one that is just being sent then is lost.
        settings.connectionPool.idleTimeout = .seconds(4)
        clients = PinnedClients(settings)
        places = PlaceGuard(
            allowed: Set(allowing.map { $0.lowercased().withoutBrackets }), resolve: resolve ?? SystemResolver.resolve)
        self.wait = wait
    }

    /// - Parameters:
    ///   - host: That of the URL, as it stands there.
    ///   - timeout: For the whole exchange, from resolving the name to the end of the answer.
    func exchange(_ message: Poster.Message, host: String, timeout: Duration) async throws(PostFailure) -> PostAnswer {
        try await Poster(timeout: timeout, wait: wait).send(message, by: route(to: host.withoutBrackets))
    }

    /// To the addresses of the host that may be called, one after the other, as they were found at first.
    private func route(to host: String) -> Poster.Route {
        let (clients, places) = (clients, places)
        let found = FoundAddresses()
        return { tried in
            if tried == 0 {
                let addresses = try await places.addresses(of: host)
                found.set(addresses)
            }
            let addresses = found.all
            guard tried < addresses.count else { return nil }
            return try clients.lend(PinnedClients.Pin(host: host, address: addresses[tried]))
        }
    }

    /// Closes all connections; exchanges under way fail. Must be called once, before the client is let go.
    package func shutdown() async throws { try await clients.close() }
}

extension String {
    /// An IPv6 address as it is written outside of URLs; anything else as it is.
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}

/// What one exchange found when it looked up its host.
private final class FoundAddresses: Sendable {
    private let addresses = Mutex<[NetworkAddress]>([])

    var all: [NetworkAddress] { addresses.withLock { $0 } }

    func set(_ found: [NetworkAddress]) { addresses.withLock { $0 = found } }
}
