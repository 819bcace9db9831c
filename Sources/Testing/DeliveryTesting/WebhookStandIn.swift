import NIOCore
import NIOHTTP1

/// A receiver of webhooks, over HTTP/1.1 without TLS on a port of 127.0.0.1.
package final class WebhookStandIn: Sendable {
    private let server: StandInServer

    private init(_ server: StandInServer) { self.server = server }

    /// - Parameters:
    ///   - script: The answers to the first requests, in order.
    ///   - otherwise: The answers to later ones; by default 200.
    package static func start(
        _ script: [ScriptedAnswer] = [],
        otherwise: @escaping @Sendable (RecordedRequest) -> ScriptedAnswer = { _ in .status(200) }
    ) async throws -> WebhookStandIn {
        let log = StandInLog(script: script, otherwise: otherwise)
        return WebhookStandIn(
            try await StandInServer(log: log) { channel, number in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(StandInHandler(log: log, number: number, connection: channel))
                }
            })
    }

    /// For example `http://127.0.0.1:40123`.
    package var url: String { "http://127.0.0.1:\(server.port)" }
    /// All requests so far, in order of arrival.
    package var requests: [RecordedRequest] { server.log.requests }
    /// Number of connections so far, including closed ones.
    package var connections: Int { server.log.connections }

    /// Adds to the script.
    package func answer(_ answers: ScriptedAnswer...) { server.log.append(answers) }

    /// The requests so far, as soon as there are `count`; earlier only when the task is cancelled, or when they do not come
    /// (``Patience``).
    package func requests(atLeast count: Int) async -> [RecordedRequest] {
        await server.log.wait(for: count)
        return requests
    }

    /// Stops listening and closes all connections, including hanging ones.
    package func stop() async { await server.stop() }
}
