package import NIOHTTP1

/// The few pages every server has; everything else goes on to the responder behind it.
///
/// - `GET /healthz`: `{"status":"ok"}`, or 503 when the engine does not answer.
/// - `GET /metrics`: Prometheus text.
/// - `/sign-in`: where a 421 sends people.
package struct PagesResponder: Responder {
    private let next: any Responder
    private let health: @Sendable () throws -> Void
    private let metrics: @Sendable () -> [UInt8]

    /// - Parameters:
    ///   - health: Asks the engine for something small; throws when it cannot. May wait.
    ///   - metrics: The exposition. May take a millisecond.
    package init(
        health: @escaping @Sendable () throws -> Void, metrics: @escaping @Sendable () -> [UInt8],
        next: any Responder
    ) {
        self.health = health
        self.metrics = metrics
        self.next = next
    }

    package func reception(of head: HTTPRequestHead) -> Reception { next.reception(of: head) }

    package func respond(to request: RawRequest) -> Work {
        // The hot paths begin with /database or /device: one byte tells.
        guard request.target.utf8.dropFirst().first != UInt8(ascii: "d") else { return next.respond(to: request) }
        switch request.path {
        case "/healthz": return forReading(request, endpoint: "healthz", checkHealth)
        case "/metrics": return forReading(request, endpoint: "metrics", exportMetrics)
        case SignInPage.path: return .answer(SignInPage.answer())
        default: return next.respond(to: request)
        }
    }

    private func forReading(
        _ request: RawRequest, endpoint: String, _ page: @escaping @Sendable (RequestID) -> RawResponse
    ) -> Work {
        guard request.method == .GET || request.method == .HEAD else {
            let refusal = TransportFailure.methodNotAllowed
            return .answer(refusal.answer(id: request.id, retryAfter: 0, endpoint: endpoint))
        }
        let id = request.id
        return .blocking { .answer(page(id)) }
    }

    private func checkHealth(_ id: RequestID) -> RawResponse {
        do {
            try health()
            return RawResponse(body: Array(#"{"status":"ok"}"#.utf8), endpoint: "healthz")
        } catch {
            return TransportFailure.unhealthy.answer(id: id, retryAfter: 1, endpoint: "healthz")
        }
    }

    private func exportMetrics(_: RequestID) -> RawResponse {
        RawResponse(contentType: "text/plain; version=0.0.4; charset=utf-8", body: metrics(), endpoint: "metrics")
    }
}

/// Answers 404 to everything: what stands at the end of a chain of responders.
package struct NothingHere: Responder {
    package init() {}

    package func respond(to request: RawRequest) -> Work {
        .answer(TransportFailure.noHandler.answer(id: request.id, retryAfter: 0, endpoint: "other"))
    }
}
