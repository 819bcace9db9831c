import Foundation
import NIOCore
import NIOPosix
import Testing

@Suite("A listener") struct ListenerTests {
    @Test("logs a connection that cannot be set up, closes it, and continues")
    func settingUp() async throws {
        let log = RecordedLog()
        try await withListening(transport: MultiThreadedEventLoopGroup(numberOfThreads: 1), log: log) { listening in
            for count in 1...2 {
                let client = try await RawClient(port: listening.port)
                #expect(try await client.rest().isEmpty)
                #expect(log.lines.count == count)
            }
        }
        #expect(log.lines.allSatisfy { $0.hasPrefix("error: a connection could not be set up") }, "\(log.lines)")
    }

    @Test("releases its port as soon as it is told to stop, while its requests are still answered")
    func leaving() async throws {
        let held = HeldWork()
        try await withServer(held) { server in
            let busy = try await server.client()
            try await busy.send("GET /a HTTP/1.1\r\n\r\n")
            #expect(await held.arrival() != nil)
            let idle = try await server.client()
            await server.stop()
            #expect(try await idle.rest().isEmpty)
            try await withServer(port: server.port) { other in
                let client = try await other.client()
                try await client.send("GET /b HTTP/1.1\r\n\r\n")
                #expect(try await client.answer().text == "GET /b 0")
            }
            held.finishFirst("finished")
            #expect(try await busy.answer().text == "finished")
        }
    }

    @Test("throws the system's error when its port is in use")
    func taken() async throws {
        try await withServer { server in
            await #expect {
                try await withListening(port: server.port) { _ in Issue.record("it listens") }
            } throws: { error in
                (error as? IOError)?.errnoCode == EADDRINUSE && "\(error)".contains("Address already in use")
            }
        }
    }

    @Test("closes its connections immediately when its task is canceled, and returns")
    func cancelled() async throws {
        let held = HeldWork()
        try await withListening(held) { listening in
            let client = try await RawClient(port: listening.port)
            try await client.send("GET /a HTTP/1.1\r\n\r\n")
            #expect(await held.arrival() != nil)
            listening.cancel()
            #expect(try await client.rest().isEmpty)
            held.finishFirst("too late")
        }
    }
}
