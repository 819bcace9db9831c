import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// A server that accepts pushes like APNs, over HTTP/2 and TLS on a port of 127.0.0.1.
package final class APNsStandIn: Sendable {
    private let server: StandInServer
    private let certificate: TestCertificate

    private init(_ server: StandInServer, _ certificate: TestCertificate) {
        self.server = server
        self.certificate = certificate
    }

    /// - Parameters:
    ///   - script: The answers to the first pushes, in order.
    ///   - otherwise: The answers to later ones; by default 200.
    ///   - streamsMax: Maximum number of concurrent requests of a client on one connection.
    ///   - speaksHTTP2: If false, the server offers HTTP/1.1 only.
    ///   - host: The only name of its certificate; nil for localhost and 127.0.0.1.
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
    /// The root certificate that a client must trust.
    package var rootPEM: String { certificate.pem }
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
