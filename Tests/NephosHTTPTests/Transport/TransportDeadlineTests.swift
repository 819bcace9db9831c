import NephosHTTP
import Testing

@Suite("Deadlines of the transport (docs/protocol.md, Limits)")
struct TransportDeadlineTests {
    @Test("Headers that trickle in are given up", arguments: ["G", "GET / HTTP/1.1\r\nX: ", "GET / HTTP/1.1\r\nX: 1\r\n"])
    func slowHeaders(start: String) async throws {
        try await withServer(limits: testLimits { $0.headersMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send(start)
            let answer = try await client.answer()
            #expect(answer.status == 408)
            #expect(try answer.code == "BAD_REQUEST")
            #expect(try answer.reason?.contains("50 ms") == true)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A byte now and then does not keep the headers' deadline away")
    func slowLoris() async throws {
        try await withServer(limits: testLimits { $0.headersMilliseconds = 100 }) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n")
            async let status = client.answer().status
            let pest = try await server.client()
            for _ in 0..<10 { try await pest.send("X") }
            #expect(try await status == 408)
        }
    }

    @Test("A body that takes too long, or comes too slowly, is given up")
    func slowBody() async throws {
        let tooLong = testLimits { $0.bodyMilliseconds = 50 }
        let tooSlow = testLimits { limits in
            limits.speedGraceMilliseconds = 50
            limits.bytesPerSecondMin = 1_000_000
        }
        for limits in [tooLong, tooSlow] {
            try await withServer(limits: limits) { server in
                let client = try await server.client()
                try await client.send("POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\nabc")
                let answer = try await client.answer()
                #expect(answer.status == 408)
                #expect(try answer.code == "BAD_REQUEST")
                #expect(try await client.rest().isEmpty)
            }
        }
    }

    @Test("A connection that says nothing is closed without an answer, at its start and between requests")
    func silence() async throws {
        let limits = testLimits { limits in
            limits.headersMilliseconds = 50
            limits.idleMilliseconds = 50
        }
        try await withServer(limits: limits) { server in
            let silent = try await server.client()
            #expect(try await silent.rest().isEmpty)
            let once = try await server.client()
            try await once.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await once.answer().status == 200)
            #expect(try await once.rest().isEmpty)
        }
    }

    @Test("A request that takes too long is answered with try again later, and its late answer is dropped")
    func overdue() async throws {
        let held = HeldWork()
        try await withServer(held, limits: testLimits { $0.requestMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n\r\nGET /next HTTP/1.1\r\n\r\n")
            #expect(await held.arrival() != nil)
            let answer = try await client.answer()
            #expect(answer.status == 503)
            #expect(try answer.code == "TRY_AGAIN_LATER")
            held.finishFirst("late")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A reader that stops reading is cut off, and what waited for it is forgotten")
    func stalledReader() async throws {
        let body = [UInt8](repeating: 32, count: 16 << 20)
        let responder = ClosureResponder { _ in .answer(RawResponse(body: body)) }
        try await withServer(responder, limits: testLimits { $0.stalledWriteMilliseconds = 100 }) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            // The other connection shows when the server has given up: until then there is no room for its answer.
            while server.transport.connections != 0 { await Task.yield() }
            #expect(server.transport.budget.bytes == 0)
            #expect(try await client.rest().count < body.count)
        }
    }

    @Test("A slow reader that keeps reading gets everything")
    func slowReader() async throws {
        let body = [UInt8](repeating: 32, count: 4 << 20)
        let responder = ClosureResponder { _ in .answer(RawResponse(body: body)) }
        try await withServer(responder, limits: testLimits { $0.stalledWriteMilliseconds = 5_000 }) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(try await client.answer().body.count == body.count)
        }
    }
}
