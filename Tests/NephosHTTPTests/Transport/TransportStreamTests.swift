import NephosHTTP
import NephosRunner
import Testing

@Suite("Streams are written while they are read (docs/protocol.md, Limits)")
struct TransportStreamTests {
    private static let get = "GET /stream HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n"

    @Test("Head and pieces arrive as they are written, and the end when it is closed")
    func pieces() async throws {
        let work = StreamedWork()
        let sent = RecordedValues<Bool>()
        let observer = try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            let head = try await client.answerHead()
            #expect(head.status == 200)
            #expect(head.headers["content-type"] == "text/event-stream; charset=utf-8")
            #expect(head.headers["cache-control"] == "no-cache, no-transform")
            #expect(head.headers["x-accel-buffering"] == "no")
            #expect(head.headers["transfer-encoding"] == "chunked")
            #expect(head.headers["content-length"] == nil)
            #expect(head.headers["access-control-allow-origin"] == "*")
            #expect(head.headers["x-apple-request-uuid"] != nil)
            let writer = try #require(await work.arrivals.next())
            let long = String(repeating: "a", count: 5_000)
            for text in ["data: 1\n\n", "", long] {
                #expect(writer.write(Array(text.utf8)) { sent.record($0) })
                #expect(await sent.next() == true)
                if !text.isEmpty { #expect(try await client.chunk() == text) }
            }
            #expect(server.transport.budget.bytes == 0)
            #expect(server.observer.exchanges.isEmpty, "it is still going on")
            for text in ["x", "y"] { writer.write(Array(text.utf8)) }
            writer.close()
            #expect(!writer.write([1]))
            for expected in ["x", "y", nil] { #expect(try await client.chunk() == expected) }
            #expect(try await client.rest().isEmpty)
            #expect(await work.endings.next() == .closed)
        }
        #expect(work.endings.all == [.closed])
        #expect(observer.exchanges.map(\.endpoint) == ["stream"])
        #expect(observer.exchanges.allSatisfy { $0.status == 200 && $0.bytesOut > 5_400 && $0.path == "/stream" })
    }

    @Test("HTTP/1.0 gets the pieces without chunk framing, up to the end of the connection")
    func oldClient() async throws {
        let work = StreamedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let head = try await client.answerHead()
            #expect(head.headers["transfer-encoding"] == nil)
            #expect(head.headers["connection"] == "close")
            let writer = try #require(await work.arrivals.next())
            for text in ["one", "two"] { writer.write(Array(text.utf8)) }
            writer.close()
            #expect(try await client.rest() == Array("onetwo".utf8))
        }
    }

    @Test("HEAD gets the head of the stream, which does not begin")
    func head() async throws {
        let work = StreamedWork()
        let observer = try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("HEAD /stream HTTP/1.1\r\n\r\n")
            #expect(try await client.answerHead().headers["transfer-encoding"] == "chunked")
            #expect(try await client.rest().isEmpty)
        }
        #expect(work.arrivals.all.isEmpty)
        #expect(observer.exchanges.count == 1)
    }

    @Test("A silent stream gets heartbeats, and is not limited by the request timeout")
    func heartbeats() async throws {
        let work = StreamedWork(StreamHead(heartbeat: Array(": alive\n\n".utf8)))
        let limits = testLimits { limits in
            limits.requestMilliseconds = 100
            limits.stalledWriteMilliseconds = 100
            limits.heartbeatMilliseconds = 20
        }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try await client.answerHead().status == 200)
            for _ in 1...2 { #expect(try await server.outlastRequest() == 503) }
            for _ in 1...3 { #expect(try await client.chunk() == ": alive\n\n") }
            try #require(await work.arrivals.next()).close()
            var chunk = try await client.chunk()
            while chunk == ": alive\n\n" { chunk = try await client.chunk() }
            #expect(chunk == nil)
        }
    }

    @Test("When the server stops, a stream ends properly, immediately after what was written")
    func stopping() async throws {
        let work = StreamedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try await client.answerHead().status == 200)
            let writer = try #require(await work.arrivals.next())
            writer.write(Array("last words".utf8))
            await server.stop()
            #expect(try await client.chunk() == "last words")
            #expect(try await client.chunk() == nil)
            #expect(try await client.rest().isEmpty)
            #expect(await work.endings.next() == .serverStops)
            #expect(!writer.write([1]))
        }
        #expect(work.endings.all == [.serverStops])
    }

    @Test(
        "A stream's writer is notified once when its client disconnects, and unsent pieces are reported",
        arguments: TransportParkingTests.Leaving.allCases)
    func gone(_ leaving: TransportParkingTests.Leaving) async throws {
        let work = StreamedWork()
        let sent = RecordedValues<Bool>()
        let observer = try await withServer(work) { server in
            var client: RawClient? = try await server.client()
            try await client?.send(Self.get + (leaving == .closeBehindMore ? Self.get : ""))
            #expect(try await client?.answerHead().status == 200)
            let writer = try #require(await work.arrivals.next())
            switch leaving {
            case .close, .closeBehindMore: break
            case .reset: client?.resetAtEnd()
            case .halfClose: try await client?.closeWriting()
            }
            if leaving != .halfClose { client = nil }
            #expect(await work.endings.next() == .clientGone)
            try await server.settle()
            #expect(!writer.write([1]) { sent.record($0) })
            let late = RecordedValues<StreamWriter.Ending>()
            writer.onEnding { late.record($0) }
            #expect(late.all == [.clientGone])
        }
        #expect(sent.all == [false])
        #expect(work.endings.all == [.clientGone])
        #expect(observer.exchanges.count == 1)
    }

    @Test("A thousand streams get the same bytes")
    func thousand() async throws {
        OpenFiles.allow(4_000)
        let work = StreamedWork()
        let event = (1...50).map { "data: \($0)\n\n" }
        // However long a busy machine takes to open them all.
        var limits = testLimits()
        limits.heartbeatMilliseconds = 600_000
        try await withServer(work, limits: limits) { server in
            var clients: [RawClient] = []
            var writers: [StreamWriter] = []
            for _ in 0..<1_000 {
                let client = try await server.client()
                try await client.send(Self.get)
                clients.append(client)
                writers.append(try #require(await work.arrivals.next()))
            }
            for piece in event {
                let bytes = Array(piece.utf8)
                for writer in writers { writer.write(bytes) }
            }
            for client in clients {
                #expect(try await client.answerHead().status == 200)
                for piece in event { #expect(try await client.chunk() == piece) }
            }
            clients = []
            try await server.settle()
        }
        #expect(work.endings.all == Array(repeating: .clientGone, count: 1_000))
    }
}
