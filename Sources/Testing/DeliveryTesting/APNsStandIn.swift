import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// A server that takes pushes as APNs does, over HTTP/2 and TLS on a port of 127.0.0.1.
package final class APNsStandIn: Sendable {
    private let server: StandInServer
    private let certificate: TestCertificate

    private init(_ server: StandInServer, _ certificate: TestCertificate) {
        self.server = server
        self.certificate = certificate
    }

    /// - Parameters:
    ///   - script: What to do with the first pushes, in their order.
    ///   - otherwise: What to do with those after them; without it, they are answered 200.
    ///   - streamsMax: How many requests a client may have under way on one connection.
    ///   - speaksHTTP2: Without it the server offers HTTP/1.1 only.
    ///   - host: The one name that its certificate is for; nil is for localhost and 127.0.0.1.
    package static func start(
        _ script: [ScriptedAnswer] = [],
        otherwise: @escaping @Sendable (RecordedRequest) -> ScriptedAnswer = { _ in .status(200) },
        streamsMax: Int = 100, speaksHTTP2: Bool = true, host: String? = nil
    ) async throws -> APNsStandIn {
        let log = StandInLog(script: script, otherwise: otherwise)
        let certificate = try TestCertificate(host: host)
        let tls = try NIOSSLContext(configuration: certificate.serverConfiguration(speaksHTTP2: speaksHTTP2))
        var connectionSettings = NIOHTTP2Handler.ConnectionConfiguration()
        connectionSettings.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamsMax),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
        ]
        let settings = connectionSettings
        let server = try await StandInServer(log: log) { channel, number in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
            }.flatMap {
                channel.configureCommonHTTPServerPipeline(
                    connectionConfiguration: settings, streamConfiguration: .init()
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandler(
                            StandInHandler(log: log, number: number, connection: channel))
                    }
                }
            }
        }
        return APNsStandIn(server, certificate)
    }

    /// For example `https://127.0.0.1:40123`.
    package var url: String { "https://127.0.0.1:\(server.port)" }
    /// What a client must trust.
    package var rootPEM: String { certificate.pem }
    /// All requests so far, in the order in which they came.
    package var requests: [RecordedRequest] { server.log.requests }
    /// Connections so far, closed ones included.
    package var connections: Int { server.log.connections }

    /// Adds to the script.
    package func answer(_ answers: ScriptedAnswer...) { server.log.append(answers) }

    /// The requests so far, as soon as there are `count`, or when the task is cancelled.
    package func requests(atLeast count: Int) async -> [RecordedRequest] {
        await server.log.wait(for: count)
        return requests
    }

    /// Stops listening and closes all connections, those that hang included.
    package func stop() async { await server.stop() }
}
