import NIOCore
import NephosHTTP
import NephosRunner
import Testing

@Suite("A body read piece by piece has its limits (docs/protocol.md, Limits)", .serialized)
struct TransportUploadLimitTests {
    private static let head = "POST /up HTTP/1.1\r\nContent-Length: 64000000\r\n\r\n"

    /// Lets the server answer others for a while, and at least until it counts this many bytes.
    private func goOn(_ server: TestServer, until bytes: Int = 0) async throws {
        let other = try await server.client()
        var rounds = 0
        while rounds < 20 || server.transport.budget.bytes < bytes {
            try await other.send("GET /plain HTTP/1.1\r\n\r\n")
            #expect(try await other.answer().text == "plain")
            rounds += 1
        }
    }

    @Test("While the owner does not request data, the client is held back and little is buffered")
    func heldBack() async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(Self.head)
            let reader = try #require(await work.arrivals.next())
            let sent = RecordedValues<Int>()
            let sending = Task { sent.record(try await client.send(Pattern.bytes(0..<64_000_000))) }
            // No piece was requested: the server reads no more than arrived with the head, and counts nothing else.
            try await goOn(server)
            #expect(server.transport.budget.bytes <= 20_000)
            var bytes = try await reader.nextBytes()
            try await goOn(server, until: 256 << 10)
            #expect(server.transport.budget.bytes <= 600_000)
            #expect(sent.all.isEmpty)
            bytes += try await reader.rest()
            reader.answer("done")
            #expect(try await client.answer().text == "done")
            try await sending.value
            #expect(sent.all == [64_000_000])
            #expect(bytes.count == 64_000_000)
            #expect(bytes.withUnsafeBytes { Pattern.matches($0, at: 0) })
        }
    }

    @Test("A body with a length beyond the limit is rejected immediately, without asking its owner")
    func announcedTooLong() async throws {
        let work = OwnedBodies(bytesMax: 5_000_000_000)
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("POST /up HTTP/1.1\r\nContent-Length: 5000000001\r\nExpect: 100-continue\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 413)
            #expect(try answer.reason?.contains("at most 4768 MB") == true)
            #expect(try await client.rest().isEmpty)
        }
        #expect(work.arrivals.all.isEmpty)
    }

    @Test("A chunked body is rejected as soon as it is too long")
    func becomesTooLong() async throws {
        let work = OwnedBodies(bytesMax: 5)
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("POST /up HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n")
            let reader = try #require(await work.arrivals.next())
            #expect(try await reader.nextBytes() == Array("abcde".utf8))
            try await client.send("1\r\nf\r\n0\r\n\r\n")
            #expect(await reader.ending() == .tooLarge)
            #expect(try await client.answer().status == 413)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A client that stops sending is disconnected, however much it has sent before")
    func stalls() async throws {
        let work = OwnedBodies()
        try await withServer(work, limits: testLimits { $0.stalledReadMilliseconds = 100 }) { server in
            let client = try await server.client()
            try await client.send(Self.head)
            let reader = try #require(await work.arrivals.next())
            async let ending = reader.ending()
            try await client.send(Pattern.bytes(0..<20_000_000))
            #expect(await ending == .tooSlow)
            let answer = try await client.answer()
            #expect(answer.status == 408)
            #expect(try answer.reason?.contains("100 ms") == true)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A client that sends an occasional byte is disconnected; one that is fast enough is not")
    func slow() async throws {
        let work = OwnedBodies()
        let limits = testLimits { limits in
            limits.stalledReadMilliseconds = 200
            limits.bytesPerSecondMin = 50_000_000
            limits.bodyMilliseconds = 1
        }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client()
            try await client.send(Self.head)
            let reader = try #require(await work.arrivals.next())
            let trickle = Task {
                while !Task.isCancelled { try await client.send("x") }
            }
            #expect(await reader.ending() == .tooSlow)
            #expect(try await client.answer().status == 408)
            trickle.cancel()
            try await trickle.value
        }
        try await withServer(work, limits: testLimits { $0.requestMilliseconds = 1_500 }) { server in
            let client = try await server.client()
            try await client.send(Self.head)
            let reader = try #require(await work.arrivals.next())
            async let first = reader.nextBytes()
            #expect(try await server.outlastRequest() == 503, "so long that an ordinary request is given up")
            let sending = Task { try await client.send(Pattern.bytes(0..<64_000_000)) }
            #expect(try await first.isEmpty == false)
            #expect(await reader.ending() == nil)
            #expect(try await sending.value == 64_000_000)
            reader.answer("done")
            #expect(try await client.answer().text == "done")
        }
    }

    @Test("The time that the owner takes does not count as the client's")
    func slowOwner() async throws {
        let work = OwnedBodies()
        let limits = testLimits { limits in
            limits.stalledReadMilliseconds = 300
            limits.headersMilliseconds = 1_000
        }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client()
            try await client.send(Self.head)
            let reader = try #require(await work.arrivals.next())
            let body = Pattern.bytes(0..<64_000_000)
            let sending = Task { try await client.send(body) }
            // A silent client is closed after a timeout that is long enough here.
            #expect(try await server.client().rest().isEmpty)
            _ = try await reader.nextBytes()
            try await goOn(server, until: 256 << 10)
            #expect(try await server.client().rest().isEmpty)
            #expect(await reader.ending() == nil)
            reader.answer("done")
            #expect(try await client.answer().text == "done")
            #expect(try await sending.value == 64_000_000)
        }
    }

    @Test(
        "An owner that never requests data, or never responds, does not keep the client forever",
        arguments: [false, true])
    func idleOwner(asks: Bool) async throws {
        let work = OwnedBodies()
        try await withServer(work, limits: testLimits { $0.requestMilliseconds = 100 }) { server in
            let client = try await server.client()
            try await client.send("POST /up HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
            let reader = try #require(await work.arrivals.next())
            if asks { _ = await reader.next() }
            #expect(try await client.answer().status == 503)
            #expect(await reader.ending() == .tookTooLong)
            #expect(!reader.answer(.answer(RawResponse(body: []))))
        }
    }

    @Test("Without room for the next piece the client is told to try again")
    func noRoom() async throws {
        let work = OwnedBodies()
        try await withServer(work, limits: testLimits { $0.bufferedBytesMax = 20_000 }) { server in
            let client = try await server.client()
            try await client.send(Self.head)
            let reader = try #require(await work.arrivals.next())
            let sending = Task { try await client.send(Pattern.bytes(0..<1_000_000)) }
            _ = try await reader.nextBytes()
            #expect(try await client.answer().status == 503)
            #expect(await reader.ending() == .noRoom)
            _ = try await sending.value
        }
    }

    @Test("A client that disconnects in the middle is detected, by a reset, an end or a half-close", arguments: 0...2)
    func clientGone(how: Int) async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            var client: RawClient? = try await server.client()
            try await client?.send(Self.head)
            try await client?.send(Pattern.bytes(0..<1_000_000))
            let reader = try #require(await work.arrivals.next())
            _ = try await reader.nextBytes()
            switch how {
            case 0: client?.resetAtEnd()
            case 1: break
            default:
                try await client?.closeWriting()
                #expect(await reader.ending() == .clientGone)
                #expect(try await client?.answer().status == 400)
            }
            client = nil
            #expect(await reader.ending() == .clientGone)
            #expect(!reader.answer(.answer(RawResponse(body: []))))
            try await server.settle()
        }
    }

    @Test("When the server stops, an upload can finish, and is then the last on its connection")
    func stopping() async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("POST /up HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc")
            let reader = try #require(await work.arrivals.next())
            #expect(try await reader.nextBytes() == Array("abc".utf8))
            let idle = try await server.client()
            await server.stop()
            // When this one is closed the other has been notified as well.
            #expect(try await idle.rest().isEmpty)
            try await client.send("def")
            #expect(try await reader.rest() == Array("def".utf8))
            reader.answer("done")
            let answer = try await client.answer()
            #expect(answer.text == "done")
            #expect(answer.headers["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("An upload that takes longer than the server has left is cut off")
    func stopped() async throws {
        let work = OwnedBodies()
        try await withServer(work, limits: testLimits { $0.shutdownMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send(Self.head + "abc")
            let reader = try #require(await work.arrivals.next())
            _ = try await reader.nextBytes()
            await server.stop()
            #expect(await reader.ending() == .serverStops)
            #expect(try await client.rest().isEmpty)
        }
    }
}
