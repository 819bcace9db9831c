import AsyncHTTPClient
import NIOCore
package import NephosDelivery
import NephosNetwork
import Synchronization

/// Calls webhooks, over HTTP/1.1 and with at most 8 connections to a host; calls that wait for one lose of their time.
///
/// Each call resolves the host's name once, and goes to an address that was found then and may be called
/// (docs/decisions/0017).
package final class WebhookClient: Sendable {
    private let poster: Poster
    private let clients: PinnedClients
    private let places: WebhookGuard
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - timeout: For a whole call, from resolving the name to the end of the answer.
    ///   - roots: PEM certificates that are trusted as well as the system's.
    ///   - allowing: Hosts that may be called though they lead to this machine or into a private network; names and addresses
    ///     as URLs have them.
    ///   - resolve: nil asks the system.
    ///   - now: Seconds since 1970, which calls are signed with.
    ///   - wait: Returns after the time it is given, or when its task is cancelled.
    /// - Throws: ``InvalidRoots``.
    package init(
        timeout: Duration = .seconds(10), roots: [UInt8] = [], allowing: [String] = [], resolve: HostResolver? = nil,
        now: @escaping @Sendable () -> Int64 = SystemClock.now,
        wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) throws(InvalidRoots) {
        var settings = try ClientSettings.make(roots: roots, timeout: timeout)
        settings.httpVersion = .http1Only
        // Many servers close after 5 s without a request, and one that is just being sent then is lost.
        settings.connectionPool.idleTimeout = .seconds(4)
        clients = PinnedClients(settings)
        places = WebhookGuard(
            allowed: Set(allowing.map { $0.lowercased().withoutBrackets }), resolve: resolve ?? SystemResolver.resolve)
        poster = Poster(timeout: timeout, wait: wait)
        self.now = now
    }

    /// Makes one call and says what became of it.
    package func send(_ call: WebhookCall) async -> SendOutcome {
        let signature = WebhookSignature.header(body: call.body, secret: call.secret, time: now())
        let headers = [
            ("Content-Type", "application/json"), ("User-Agent", "nephos"), ("Nephos-Delivery", call.id.text),
            (WebhookSignature.headerName, signature),
        ]
        do {
            let url = call.address.url
            return outcome(
                try await poster.post(url: url, headers: headers, body: call.body, by: route(to: call.address)))
        } catch {
            return .failed(reason: error.reason, retryAfter: nil)
        }
    }

    /// To the addresses of the host that may be called, one after the other, as they were found at first.
    private func route(to address: WebhookAddress) -> Poster.Route {
        let (clients, places, host) = (clients, places, address.host.withoutBrackets)
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

    /// Closes all connections; calls under way fail. Must be called once, before the client is let go.
    package func shutdown() async throws { try await clients.close() }

    private func outcome(_ answer: PostAnswer) -> SendOutcome {
        let status = String(answer.status)
        return switch answer.status {
        case 200...299: .delivered(answer: status)
        case 300...399: .refused(reason: "\(status): redirects are not followed; set the webhook to the final URL")
        case 410: .deviceIsGone(reason: status)
        // The others too may be a mistake in the receiver's configuration, and nothing shall be lost by one.
        default: .failed(reason: status, retryAfter: answer.retryAfter)
        }
    }
}

extension String {
    /// An IPv6 address as it is written outside of URLs; anything else as it is.
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}

/// What one call found when it looked up its host.
private final class FoundAddresses: Sendable {
    private let addresses = Mutex<[NetworkAddress]>([])

    var all: [NetworkAddress] { addresses.withLock { $0 } }

    func set(_ found: [NetworkAddress]) { addresses.withLock { $0 = found } }
}
