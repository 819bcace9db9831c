import NephosHTTP
import NephosRunner
import Testing

@Suite("A stream buffers little for a slow client (docs/protocol.md, Limits)")
struct TransportStreamLimitTests {
    private static let get = "GET /stream HTTP/1.1\r\n\r\n"
    private static let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)

    @Test("A client that leaves too much unread is disconnected; its pending data is dropped")
    func slowClient() async throws {
        let work = StreamedWork()
        let sent = RecordedValues<Bool>()
        try await withServer(work) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            let writer = try #require(await work.arrivals.next())
            var written = 1
            while writer.write(Self.piece, whenSent: { sent.record($0) }) {
                #expect(server.transport.budget.bytes <= 256 << 10)
                written += 1
            }
            #expect(await work.endings.next() == .fellBehind)
            try await server.settle()
            #expect(sent.all.count == written)
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(!text.hasSuffix("0\r\n\r\n"), "it breaks off")
        }
        #expect(work.endings.all == [.fellBehind])
    }

    @Test("A piece beyond the limit of unread data ends the stream, after the pieces before it")
    func tooLong() async throws {
        let work = StreamedWork()
        try await withServer(work, limits: testLimits { $0.streamUnsentBytesMax = 10_000 }) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            let writer = try #require(await work.arrivals.next())
            #expect(writer.write(Self.piece))
            #expect(!writer.write([UInt8](repeating: 32, count: 10_001)))
            #expect(await work.endings.next() == .fellBehind)
            #expect(try await client.answerHead().status == 200)
            #expect(try await client.chunk() == String(decoding: Self.piece, as: UTF8.self))
            #expect(try await client.rest().isEmpty)
        }
        #expect(work.endings.all == [.fellBehind])
    }

    @Test("Much can be written to a client that reads, one piece after the other")
    func manyPieces() async throws {
        let work = StreamedWork()
        try await withServer(work, limits: testLimits { $0.streamUnsentBytesMax = 10_000 }) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send("GET /stream HTTP/1.0\r\n\r\n")
            let writer = try #require(await work.arrivals.next())
            async let rest = client.rest()
            let sent = RecordedValues<Bool>()
            for _ in 1...1_000 {
                #expect(writer.write([UInt8](repeating: 32, count: 10_000)) { sent.record($0) })
                #expect(await sent.next() == true)
            }
            writer.close()
            #expect(try await rest.filter { $0 == 32 }.count > 10_000_000)
        }
        #expect(work.endings.all == [.closed])
    }

    @Test(
        "Unread data counts against the budget; without room a stream ends, but not a silent one")
    func noRoom() async throws {
        let work = StreamedWork()
        let limits = testLimits { limits in
            limits.bufferedBytesMax = 2_000
            limits.heartbeatMilliseconds = 20
        }
        try await withServer(work, limits: limits) { server in
            let silent = try await server.client()
            try await silent.send(Self.get)
            _ = try #require(await work.arrivals.next())
            let client = try await server.client()
            try await client.send(Self.get)
            let writer = try #require(await work.arrivals.next())
            #expect(!writer.write([UInt8](repeating: 32, count: 2_001)))
            #expect(await work.endings.next() == .fellBehind)
            #expect(server.transport.budget.bytes == 0)
            #expect(try await silent.answerHead().status == 200)
            #expect(try await silent.chunk() == ": \n\n")
        }
        #expect(work.endings.all.count == 2)
    }

    @Test("A client that reads nothing for too long is disconnected")
    func stalled() async throws {
        let work = StreamedWork()
        let limits = testLimits { limits in
            limits.streamUnsentBytesMax = 64 << 20
            limits.stalledWriteMilliseconds = 100
        }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            let writer = try #require(await work.arrivals.next())
            #expect(writer.write([UInt8](repeating: 32, count: 32 << 20)))
            #expect(await work.endings.next() == .fellBehind)
            try await server.settle()
        }
        #expect(work.endings.all == [.fellBehind])
    }

    @Test("A client that reads slowly but reads gets everything, even after the stream was closed")
    func slowReader() async throws {
        let work = StreamedWork()
        let limits = testLimits { limits in
            limits.requestMilliseconds = 100
            limits.streamUnsentBytesMax = 64 << 20
        }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            let writer = try #require(await work.arrivals.next())
            #expect(writer.write([UInt8](repeating: 32, count: 4 << 20)))
            writer.close()
            #expect(await work.endings.next() == .closed)
            #expect(try await server.outlastRequest() == 503)
            #expect(try await client.answerHead().status == 200)
            #expect(try await client.chunk()?.utf8.count == 4 << 20)
            #expect(try await client.chunk() == nil)
        }
    }

    @Test("Data after a request for a stream is discarded, and uses no memory")
    func inputBehind() async throws {
        let work = StreamedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(Self.get + Self.get)
            let writer = try #require(await work.arrivals.next())
            let junk = [UInt8](repeating: 0, count: 8 << 20)
            #expect(try await client.send(junk) == junk.count)
            #expect(server.transport.budget.bytes == 0)
            writer.close()
            #expect(try await client.answerHead().status == 200)
            #expect(try await client.chunk() == nil)
        }
        #expect(work.arrivals.all.count == 1)
    }
}
