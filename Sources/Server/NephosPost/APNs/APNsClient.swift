import AsyncHTTPClient
package import NephosDelivery

/// Sends pushes to APNs, all over one HTTP/2 connection, which is opened for the first one and kept while there are more.
package final class APNsClient: Sendable {
    private let configuration: APNsConfiguration
    private let tokens: ProviderTokens
    private let client: HTTPClient
    private let poster: Poster

    /// - Parameters:
    ///   - now: Seconds since 1970, for the date of provider tokens.
    ///   - wait: Returns after the given time, or when its task is cancelled.
    /// - Throws: ``InvalidRoots``.
    package init(
        _ configuration: APNsConfiguration, now: @escaping @Sendable () -> Int64 = SystemClock.now,
        wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) throws(InvalidRoots) {
        self.configuration = configuration
        tokens = ProviderTokens(key: configuration.key, now: now)
        var settings = try ClientSettings.make(roots: configuration.roots, timeout: configuration.timeout)
        settings.httpVersion = .automatic
        // Until the first connection has negotiated HTTP/2, the client would open one for every waiting push.
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        settings.http2ConnectionDebugInitializer = DeadConnection.limit
        client = ClientSettings.client(settings)
        poster = Poster(timeout: configuration.timeout, wait: wait)
    }

    /// Sends one push and returns the outcome. Takes at most the configured timeout; twice that if APNs reports an expired
    /// provider token, because the push is then sent once more with a new one.
    package func send(_ push: APNsPush) async -> SendOutcome {
        do {
            let token = try tokens.current()
            let answer = try await post(push, token)
            guard answer.isExpiredProviderToken, let newer = try tokens.replacement(for: token) else {
                return answer.outcome
            }
            return try await post(push, newer).outcome
        } catch let failure as PostFailure {
            return .failed(reason: failure.reason, retryAfter: nil)
        } catch {
            return .failed(reason: "cannot sign with the APNs key", retryAfter: APNsAnswer.waitForOperator)
        }
    }

    /// Closes the connection; running pushes fail. Must be called once, before the client is released.
    package func shutdown() async throws { try await client.shutdown() }

    private func post(_ push: APNsPush, _ token: ProviderToken) async throws(PostFailure) -> APNsAnswer {
        let url = "\(configuration.host.baseURL)/3/device/\(push.deviceToken)"
        var headers = [
            ("authorization", "bearer \(token.text)"), ("apns-id", push.id.text), ("apns-topic", configuration.topic),
            ("apns-push-type", push.kind.rawValue), ("apns-priority", push.kind.priority),
            ("apns-expiration", String(push.expiration)), ("content-type", "application/json"),
        ]
        if let collapseID = push.collapseID { headers.append(("apns-collapse-id", collapseID.text)) }
        let client = client
        return APNsAnswer(
            try await poster.send(Poster.Message(url: url, headers: headers, body: push.payload)) { tried in
                tried == 0 ? PinnedClients.Loan(client: client) {} : nil
            })
    }
}

extension APNsPush.Kind {
    fileprivate var priority: String {
        switch self {
        case .alert: "10"
        case .background: "5"
        }
    }
}
