package import NephosDelivery
import NephosRunner

/// Calls webhooks, with a ``GuardedClient``.
package final class WebhookClient: Sendable {
    private let client: GuardedClient
    private let timeout: Duration
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - timeout: For a whole call, from resolving the name to the end of the response.
    ///   - now: Seconds since 1970, for signatures.
    package init(
        _ client: GuardedClient, timeout: Duration = .seconds(10),
        now: @escaping @Sendable () -> Int64 = SystemClock.now
    ) {
        (self.client, self.timeout, self.now) = (client, timeout, now)
    }

    /// Makes one call and returns the outcome.
    package func send(_ call: WebhookCall) async -> SendOutcome {
        let signature = WebhookSignature.header(body: call.body, secret: call.secret, time: now())
        let headers = [
            ("Content-Type", "application/json"), ("User-Agent", "nephos"), ("Nephos-Delivery", call.id.text),
            (WebhookSignature.headerName, signature),
        ]
        do {
            let message = Poster.Message(url: call.address.url, headers: headers, body: call.body)
            return outcome(try await client.exchange(message, host: call.address.host, timeout: timeout))
        } catch {
            return .failed(reason: error.reason, retryAfter: nil)
        }
    }

    /// Closes all connections; running calls fail. Must be called once, before the client is released.
    package func shutdown() async throws { try await client.shutdown() }

    private func outcome(_ answer: PostAnswer) -> SendOutcome {
        let status = String(answer.status)
        return switch answer.status {
        case 200...299: .delivered(answer: status)
        case 300...399: .refused(reason: "\(status): redirects are not followed; set the webhook to the final URL")
        case 410: .deviceIsGone(reason: status)
        // Other statuses may also be mistakes in the receiver's configuration, and must not lose a notification.
        default: .failed(reason: status, retryAfter: answer.retryAfter)
        }
    }
}
