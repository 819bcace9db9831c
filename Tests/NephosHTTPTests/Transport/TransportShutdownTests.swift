import NephosHTTP
import NephosRunner
import Testing

@Suite("Stopping completes what is in flight")
struct TransportShutdownTests {
    @Test("The running request is answered and its connection closed; idle connections close immediately")
    func inFlight() async throws {
        let held = HeldWork()
        try await withServer(held) { server in
            let idle = try await server.client()
            let busy = try await server.client()
            try await busy.send("GET /a HTTP/1.1\r\n\r\n")
            #expect(await held.arrival()?.target == "/a")
            await server.stop()
            #expect(try await idle.rest().isEmpty)
            held.finishFirst("finished")
            let answer = try await busy.answer()
            #expect(answer.text == "finished")
            #expect(answer.headers["connection"] == "close")
            #expect(try await busy.rest().isEmpty)
            await #expect(throws: RawClient.Failure.self) { try await server.client() }
        }
    }

    @Test("A request whose body is still arriving can finish")
    func halfSent() async throws {
        let begun = testLimits()
        try await withServer(ClosureResponder.echo, limits: begun) { server in
            let client = try await server.client()
            try await client.send("POST /a HTTP/1.1\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.answer().status == 100)
            await server.stop()
            try await client.send("0123456789")
            #expect(try await client.answer().text == "0123456789")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("An endless request is cut off when the time to stop has passed")
    func endless() async throws {
        let held = HeldWork()
        try await withServer(held, limits: testLimits { $0.shutdownMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send("GET /a HTTP/1.1\r\n\r\n")
            #expect(await held.arrival() != nil)
            await server.stop()
            #expect(try await client.rest().isEmpty)
        }
    }
}
