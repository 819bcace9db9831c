import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NephosEndpoints
import NephosHTTP
import ServiceLifecycle

/// The empty route on Hummingbird's own layers, to be measured beside our channel.
enum BenchServers {
    /// `GET /bench/empty` behind Hummingbird's router.
    static func router(
        host: String, port: Int, group: any EventLoopGroup, logger: Logger
    ) -> any Service {
        let router = Router()
        router.get("bench/empty") { _, _ in
            Response(
                status: .ok, headers: [.contentType: RawResponse.json],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "{}")))
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "nephos"),
            eventLoopGroupProvider: .shared(group), logger: logger)
    }

    /// Every route, answered by a responder right behind Hummingbird's HTTP/1 channel.
    static func responder(
        host: String, port: Int, group: any EventLoopGroup, logger: Logger
    ) -> any Service {
        let channel = HTTP1Channel { _, writer, _ in
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: RawResponse.json, .contentLength: "2"])
            var body = try await writer.writeHead(head)
            try await body.write(ByteBuffer(string: "{}"))
            try await body.finish(nil)
        }
        return channel.server(
            configuration: HummingbirdCore.ServerConfiguration(address: .hostname(host, port: port)),
            eventLoopGroup: group, logger: logger)
    }
}
