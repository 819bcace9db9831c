import CloudKitWire
import NephosNetwork
package import NephosRunner
import Synchronization

/// The endpoints for monitoring the server:
///
/// - `GET /healthz`: `{"status":"ok"}`, or 503 when the engine does not answer. With `"disk":"full"` while the disk is full.
/// - `GET /metrics`: Prometheus text. Pages of other origins may not read it, whatever name they have.
package final class Monitor: Sendable {
    private typealias Asker = @Sendable (Bool) -> Void

    private let health: @Sendable () throws -> Void
    private let healthWaits: Bool
    private let isFull: @Sendable () -> Bool
    private let metrics: @Sendable () -> [UInt8]
    private let names: Set<String>
    /// Callers that wait for the running health check; nil if there is none.
    private let asking = Mutex<[Asker]?>(nil)

    /// - Parameters:
    ///   - health: Makes a small request to the engine; throws if that fails.
    ///   - healthWaits: Whether that must run on a thread that may block. However many callers there are, it uses one thread.
    ///   - isFull: Whether the last write failed because the disk is full.
    ///   - metrics: The exposition. May take a millisecond.
    ///   - names: Names of this server under which metrics may be requested, in addition to its addresses.
    package init(
        health: @escaping @Sendable () throws -> Void, healthWaits: Bool,
        isFull: @escaping @Sendable () -> Bool = { false }, metrics: @escaping @Sendable () -> [UInt8],
        names: [String] = []
    ) {
        self.health = health
        self.healthWaits = healthWaits
        self.isFull = isFull
        self.metrics = metrics
        self.names = Set(names.map { $0.lowercased() })
    }

    func answers(_ path: Substring) -> Bool { path == "/healthz" || path == "/metrics" }

    /// nil for a path that is not one of these pages.
    func respond(to request: RawRequest, _ path: Substring) -> Work? {
        guard answers(path) else { return nil }
        let endpoint = String(path.dropFirst())
        guard request.method == .get || request.method == .head else {
            return .answer(
                RawResponse(
                    405, .badRequest, "This endpoint does not support this method.", id: request.id, endpoint: endpoint)
            )
        }
        guard path != "/metrics" || mayReadMetrics(request) else {
            return .answer(
                RawResponse(
                    403, .accessDenied,
                    "Metrics are not read under this name: request them at an address, or pass the name with --public-url or --metrics.",
                    id: request.id, endpoint: endpoint))
        }
        return path == "/metrics"
            ? .blocking { .answer(self.exportMetrics()) } : answerKnowingHealth { self.health($0, request.id) }
    }

    // MARK: Health

    /// Calls `answer` with whether the engine responds.
    func answerKnowingHealth(_ answer: @escaping @Sendable (Bool) -> RawResponse) -> Work {
        guard healthWaits else { return .answer(answer(isHealthy)) }
        return .later { done in
            self.ask({ done(.answer(answer($0))) }, first: { done(.blocking { .answer(answer(self.askForAll())) }) })
        }
    }

    /// Adds `asker` to the callers of the running check; if there is none, `first` starts one.
    private func ask(_ asker: @escaping Asker, first: () -> Void) {
        let isFirst = asking.withLock { asking in
            guard asking == nil else {
                asking?.append(asker)
                return false
            }
            asking = []
            return true
        }
        if isFirst { first() }
    }

    private func askForAll() -> Bool {
        let isHealthy = isHealthy
        let askers = asking.withLock { asking in
            defer { asking = nil }
            return asking ?? []
        }
        for asker in askers { asker(isHealthy) }
        return isHealthy
    }

    private var isHealthy: Bool {
        do {
            try health()
            return true
        } catch {
            return false
        }
    }

    private func health(_ isHealthy: Bool, _ id: RequestID) -> RawResponse {
        let body = isFull() ? #"{"status":"ok","disk":"full"}"# : #"{"status":"ok"}"#
        return isHealthy
            ? RawResponse(body: Array(body.utf8), endpoint: "healthz")
            : RawResponse(
                503, .tryAgainLater, "The storage engine does not respond.", id: id, retryAfter: 1, endpoint: "healthz")
    }

    // MARK: Metrics

    /// Whether the request names this server: by an address, `localhost`, a name that is configured, or one without a dot, which
    /// only its own network can have given it.
    ///
    /// A browser lets a page read what has the page's own name. Whoever owns that name can let it point here once the page is
    /// shown (DNS rebinding), but cannot change the name in the request.
    private func mayReadMetrics(_ request: RawRequest) -> Bool {
        request.headers[.host].allSatisfy { authority in
            let host = HostAndPort.host(of: authority).lowercased()
            return !host.contains(".") || NetworkAddress(host) != nil || names.contains(host)
        }
    }

    private func exportMetrics() -> RawResponse {
        var answer = RawResponse(
            contentType: "text/plain; version=0.0.4; charset=utf-8", body: metrics(), endpoint: "metrics")
        answer.isForAllOrigins = false
        return answer
    }
}

/// A server's second address, which serves only the pages of a ``Monitor``.
package struct MonitorResponder: Responder {
    private let monitor: Monitor

    package init(monitor: Monitor) { self.monitor = monitor }

    package func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode { .unread { respond(to: $0) } }

    package func respond(to request: RawRequest) -> Work {
        monitor.respond(to: request, request.path) ?? NothingHere().respond(to: request)
    }
}
