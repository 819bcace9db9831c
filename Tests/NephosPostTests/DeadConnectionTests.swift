import NIOCore
import NIOPosix
import NephosDelivery
import Testing

@testable import NephosPost

#if os(Linux)
    @Suite("Connections whose peer disappeared")
    struct DeadConnectionTests {
        @Test("The system closes them after 20 s without an acknowledgment")
        func limit() async throws {
            let group = MultiThreadedEventLoopGroup.singleton
            let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(server.localAddress?.port)
            let client = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get()
            try await DeadConnection.limit(client).get()
            #expect(try await client.getOption(DeadConnection.option).get() == 20_000)
            try await client.close()
            try await server.close()
        }
    }
#endif
