import Dispatch
import NephosHTTP
import NephosRunner
import Testing

@Suite("A response can be as large as a file (docs/protocol.md, Limits)", .serialized)
struct TransportFileTests {
    private static let get = "GET /file HTTP/1.1\r\n\r\n"

    /// Answers requests for `/file` with `work`, others with "plain" or, for `/stuck`, never.
    private func responder(_ work: @escaping @Sendable () -> Work) -> ClosureResponder {
        ClosureResponder { request in
            switch request.target {
            case "/file": work()
            case "/stuck": .later { _ in }
            default: .answer(RawResponse(body: Array("plain".utf8)))
            }
        }
    }

    @Test("200 MB arrive unchanged, with little memory; later requests are answered afterwards")
    func large() async throws {
        let source = PatternSource()
        let sent = RecordedValues<Bool>()
        let work = responder { source.answer(200_000_001, whenSent: { sent.record($0) }) }
        let observer = try await withServer(work) { server in
            source.watch(server.transport.budget)
            let client = try await server.client()
            try await client.send(Self.get + TransportUploadTests.plain)
            let head = try await client.answerHead()
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "200000001")
            #expect(head.headers["content-type"] == "application/octet-stream")
            #expect(head.headers["etag"] == "\"tag\"")
            #expect(head.headers["access-control-expose-headers"]?.contains("Content-Range") == true)
            #expect(try await client.take(200_000_001) { Pattern.matches($0, at: $1) } == 200_000_001)
            #expect(await sent.next() == true)
            #expect(try await client.answer().text == "plain")
            #expect(source.mostCounted > 0)
            #expect(source.mostCounted <= 2 * (256 << 10))
        }
        #expect(observer.exchanges.map(\.endpoint) == ["file", "other"])
        #expect((200_000_001...200_001_000).contains(observer.exchanges.first?.bytesOut ?? 0))
    }

    @Test("A part is sent from its start, and not compressed")
    func part() async throws {
        let source = PatternSource()
        try await withServer(responder { source.answer(300_000, from: 12_345, status: 206) }) { server in
            let client = try await server.client()
            try await client.send("GET /file HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 206)
            #expect(answer.headers["content-encoding"] == nil)
            #expect(answer.body == Pattern.bytes(12_345..<312_345))
        }
    }

    @Test("For HEAD, with status 304, and when it is empty, a file is not read", arguments: ["HEAD", "304", "empty"])
    func headAlone(what: String) async throws {
        let source = PatternSource()
        let sent = RecordedValues<Bool>()
        let work = responder {
            source.answer(
                what == "empty" ? 0 : 5_000_000_000, status: what == "304" ? 304 : 200, whenSent: { sent.record($0) })
        }
        try await withServer(work) { server in
            let client = try await server.client()
            let method = what == "HEAD" ? "HEAD" : "GET"
            try await client.send("\(method) /file HTTP/1.1\r\n\r\n" + TransportUploadTests.plain)
            let answer = try await client.answer(toHEAD: true)
            #expect(answer.status == (what == "304" ? 304 : 200))
            #expect(answer.headers["content-length"] == (what == "empty" ? "0" : "5000000000"))
            #expect(await sent.next() == true)
            #expect(try await client.answer().text == "plain")
        }
        #expect(source.reads == 0)
    }

    @Test("An HTTP/1.0 client gets the file and the end of the connection")
    func oldClient() async throws {
        let source = PatternSource()
        try await withServer(responder { .blocking { source.answer(1_000_000) } }) { server in
            let client = try await server.client()
            try await client.send("GET /file HTTP/1.0\r\n\r\n")
            #expect(try await client.answerHead().headers["connection"] == "close")
            #expect(try await client.rest() == Pattern.bytes(0..<1_000_000))
        }
    }

    @Test("A source that fails at the start is an error without detail; one that fails later aborts the response")
    func failingSource() async throws {
        let sources = [PatternSource(failsAt: 0), PatternSource(failsAt: 1_000_000), PatternSource(size: 1_000_000)]
        for source in sources {
            let sent = RecordedValues<Bool>()
            let work = responder { source.answer(5_000_000, whenSent: { sent.record($0) }) }
            let observer = try await withServer(work) { server in
                let client = try await server.client()
                try await client.send(Self.get)
                let answer = try await client.answer()
                if source.failsAt == 0 {
                    #expect(answer.status == 500)
                    #expect(try answer.code == "INTERNAL_ERROR")
                } else {
                    #expect(answer.status == 200)
                    #expect(answer.body.count < 1_000_000)
                    #expect(answer.body == Pattern.bytes(0..<answer.body.count))
                    #expect(try await client.rest().isEmpty)
                }
                #expect(await sent.next() == false)
            }
            #expect(observer.failures.count == 1)
            #expect(observer.exchanges.count == 1)
            #expect(sent.all == [false])
        }
    }

    @Test("A client that reads nothing is disconnected, and the file not read far ahead of it")
    func stalledClient() async throws {
        let source = PatternSource()
        let sent = RecordedValues<Bool>()
        let limits = testLimits { $0.stalledWriteMilliseconds = 100 }
        let work = responder { source.answer(64_000_000, whenSent: { sent.record($0) }) }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            #expect(await sent.next() == false)
            try await server.settle()
            let taken = try await client.rest().count
            #expect(taken > 0)
            #expect(source.bytes <= taken + 16_000_000, "what sockets hold, and two pieces")
        }
    }

    @Test("A client that reads slowly but reads gets everything, however long it takes")
    func slowClient() async throws {
        let source = PatternSource()
        try await withServer(
            responder { source.answer(16_000_000) }, limits: testLimits { $0.requestMilliseconds = 1_500 }
        ) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            #expect(try await client.answerHead().status == 200)
            #expect(try await server.outlastRequest() == 503, "so long that an ordinary request is given up")
            #expect(try await client.take(16_000_000) { Pattern.matches($0, at: $1) } == 16_000_000)
        }
    }

    @Test("When the client disconnects in the middle, the file is closed", arguments: [false, true])
    func clientGone(resets: Bool) async throws {
        let source = PatternSource()
        let sent = RecordedValues<Bool>()
        try await withServer(responder { source.answer(1 << 40, whenSent: { sent.record($0) }) }) { server in
            var client: RawClient? = try await server.client()
            try await client?.send(Self.get)
            #expect(try await client?.take(10_000_000) { _, _ in true } == 10_000_000)
            if resets { client?.resetAtEnd() }
            client = nil
            #expect(await sent.next() == false)
            try await server.settle()
        }
        #expect(sent.all == [false])
    }

    @Test("A file for which the budget has no room is not started")
    func noRoom() async throws {
        let source = PatternSource()
        let sent = RecordedValues<Bool>()
        let work = responder { source.answer(100_000, whenSent: { sent.record($0) }) }
        try await withServer(work, limits: testLimits { $0.bufferedBytesMax = 50_000 }) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try await client.answer().status == 503)
            #expect(await sent.next() == false)
        }
        #expect(source.reads == 0)
    }

    @Test("When the server stops, a file can be sent to its end, and is the last on its connection")
    func stopping() async throws {
        let source = PatternSource()
        try await withServer(responder { source.answer(64_000_000) }) { server in
            let client = try await server.client()
            try await client.send(Self.get + Self.get)
            #expect(try await client.answerHead().status == 200)
            await server.stop()
            #expect(try await client.take(64_000_000) { Pattern.matches($0, at: $1) } == 64_000_000)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A file that takes longer than the server has left is cut off")
    func stopped() async throws {
        let source = PatternSource()
        let sent = RecordedValues<Bool>()
        let limits = testLimits { $0.shutdownMilliseconds = 50 }
        let work = responder { source.answer(1 << 40, whenSent: { sent.record($0) }) }
        try await withServer(work, limits: limits) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            #expect(try await client.answerHead().status == 200)
            await server.stop()
            #expect(await sent.next() == false)
        }
    }

    @Test("A source that takes too long is answered 503, and closed only when it is no longer read")
    func slowSource() async throws {
        let source = HeldSource()
        let sent = RecordedValues<Bool>()
        let answer = FileAnswer(contentType: "a/b", source: source, length: 10, whenSent: { sent.record($0) })
        let limits = testLimits { $0.requestMilliseconds = 100 }
        try await withServer(responder { .file(answer) }, limits: limits) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try await client.answer().status == 503)
            #expect(sent.all.isEmpty)
            source.letGo()
            #expect(await sent.next() == false)
        }
    }

    /// Reads block until the test releases them.
    private final class HeldSource: AnswerSource {
        private let held = DispatchSemaphore(value: 0)

        func letGo() { held.signal() }

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            held.wait()
            return buffer.count
        }
    }
}
