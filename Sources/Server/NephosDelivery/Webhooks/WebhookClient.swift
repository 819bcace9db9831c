import AsyncHTTPClient
import NIOCore

/// Calls webhooks, over HTTP/1.1 and with at most 8 connections to a host; calls that wait for one lose of their time.
package final class WebhookClient: Sendable {
    private let poster: Poster
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - timeout: For a whole call, from resolving the name to the end of the answer.
    ///   - roots: PEM certificates that are trusted as well as the system's.
    ///   - now: Seconds since 1970, which calls are signed with.
    ///   - wait: Returns after the time it is given, or when its task is cancelled.
    /// - Throws: ``InvalidRoots``.
    package init(
        timeout: Duration = .seconds(10), roots: [UInt8] = [], now: @escaping @Sendable () -> Int64 = SystemClock.now,
        wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) throws(InvalidRoots) {
        var settings = try ClientSettings.make(roots: roots, timeout: timeout)
        settings.httpVersion = .http1Only
        // Many servers close after 5 s without a request, and one that is just being sent then is lost.
        settings.connectionPool.idleTimeout = .seconds(4)
        poster = Poster(client: ClientSettings.client(settings), timeout: timeout, wait: wait)
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
            return outcome(try await poster.post(url: call.address.url, headers: headers, body: call.body))
        } catch {
            return .failed(reason: error.reason, retryAfter: nil)
        }
    }

    /// Closes all connections; calls under way fail. Must be called once, before the client is let go.
    package func shutdown() async throws { try await poster.client.shutdown() }

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
