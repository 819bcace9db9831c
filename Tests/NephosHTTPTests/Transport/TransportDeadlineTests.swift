import NephosHTTP
import NephosRunner
import NephosStorage
import NephosTesting
import Testing

@Suite("Deadlines of the transport (docs/protocol.md, Limits)")
struct TransportDeadlineTests {
    @Test(
        "Endless headers are aborted",
        arguments: ["G", "GET / HTTP/1.1\r\nX: ", "GET / HTTP/1.1\r\nX: 1\r\n"])
    func slowHeaders(start: String) async throws {
        try await withServer(limits: testLimits { $0.headersMilliseconds = 500 }) { server in
            let client = try await server.client()
            try await client.send(start)
            let answer = try await client.answer()
            #expect(answer.status == 408)
            #expect(try answer.code == "BAD_REQUEST")
            #expect(try answer.reason?.contains("500 ms") == true)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("An occasional byte does not extend the headers' deadline")
    func slowLoris() async throws {
        let limits = testLimits { limits in
            limits.headersMilliseconds = 500
            limits.headerBytesMax = 100 << 20
        }
        try await withServer(limits: limits) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\nX: ")
            let trickle = Task {
                while !Task.isCancelled { try await client.send("x") }
            }
            #expect(try await client.answer().status == 408)
            trickle.cancel()
            try await trickle.value
        }
    }

    @Test("A body that takes too long, or arrives too slowly, is aborted")
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

    @Test("A silent connection is closed without a response, at its start and between requests")
    func silence() async throws {
        try await withServer(limits: testLimits { $0.headersMilliseconds = 50 }) { server in
            let client = try await server.client()
            #expect(try await client.rest().isEmpty)
        }
        try await withServer(limits: testLimits { $0.idleMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().status == 200)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A request that takes too long is answered with try again later, and its late response is dropped")
    func overdue() async throws {
        let held = HeldWork()
        let observer = try await withServer(held, limits: testLimits { $0.requestMilliseconds = 200 }) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n\r\nGET /next HTTP/1.1\r\n\r\n")
            let request = try #require(await held.arrival())
            let answer = try await client.answer()
            #expect(answer.status == 503)
            #expect(try answer.code == "TRY_AGAIN_LATER")
            #expect(request.abandonment?.isAbandoned == true, "what still works for it is told so")
            held.finishFirst("late")
            #expect(try await client.rest().isEmpty)
        }
        #expect(observer.exchanges.map(\.status) == [503])
    }

    @Test("A reader that stops reading is disconnected, and its pending data is dropped")
    func stalledReader() async throws {
        let body = [UInt8](repeating: 32, count: 16 << 20)
        let responder = ClosureResponder { _ in .answer(RawResponse(body: body)) }
        let limits = testLimits { limits in
            limits.stalledWriteMilliseconds = 100
            limits.requestMilliseconds = 600_000
        }
        try await withServer(responder, limits: limits) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await Deadline().awaits { server.transport.connections == 0 })
            #expect(server.transport.budget.bytes == 0)
        }
    }

    @Test("A slow reader that keeps reading gets everything")
    func slowReader() async throws {
        let body = [UInt8](repeating: 32, count: 16 << 20)
        let responder = ClosureResponder { _ in .answer(RawResponse(body: body)) }
        let stall: Int64 = 2_000
        try await withServer(responder, limits: testLimits { $0.stalledWriteMilliseconds = stall }) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            // A reader is slow by pausing: a little at a time, and longer altogether than a reader may pause once.
            var read = try await client.bytesRead(pausing: 20, for: 2 * stall)
            #expect(read < body.count, "the reader is slow")
            while case let count = try await client.bytes().count, count > 0 { read += count }
            #expect(read > body.count, "the body, and its head")
        }
    }
}
