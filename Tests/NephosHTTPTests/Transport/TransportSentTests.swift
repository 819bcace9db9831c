import NephosHTTP
import NephosRunner
import Testing

@Suite("A responder can learn whether its response was sent")
struct TransportSentTests {
    private static let get = "GET / HTTP/1.1\r\n\r\n"

    @Test(
        "A response that the socket has accepted was sent, immediate or late, for HEAD too", arguments: ["GET", "HEAD"])
    func sent(method: String) async throws {
        let sent = RecordedValues<Bool>()
        let answer = Work.answer(RawResponse(body: Array("body".utf8), whenSent: { sent.record($0) }))
        let responder = ClosureResponder { request in
            switch request.target {
            case "/now": answer
            case "/blocking": .blocking { answer }
            default: .parked { $0.answer(answer) }
            }
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            for target in ["/now", "/blocking", "/parked"] {
                try await client.send("\(method) \(target) HTTP/1.1\r\n\r\n")
                #expect(try await client.answer(toHEAD: method == "HEAD").status == 200)
                #expect(await sent.next() == true)
            }
        }
        #expect(sent.all == [true, true, true])
    }

    @Test(
        "A long response is sent in pieces, completely and once, and the connection stays usable",
        arguments: [0, 1, 3_000_000].map { (256 << 10) + $0 })
    func pieces(length: Int) async throws {
        let sent = RecordedValues<Bool>()
        let responder = ClosureResponder { _ in
            .answer(RawResponse(body: Pattern.bytes(0..<length), whenSent: { sent.record($0) }))
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            // The second response is requested before the first is received.
            try await client.send(Self.get + Self.get)
            for _ in 0..<2 {
                #expect(try await client.answer().body == Pattern.bytes(0..<length))
                #expect(await sent.next() == true)
            }
            #expect(server.observer.exchanges.allSatisfy { $0.bytesOut > length && $0.bytesOut < length + 1_000 })
        }
        #expect(sent.all == [true, true])
    }

    @Test("A compressed response is reported too")
    func compressed() async throws {
        let sent = RecordedValues<Bool>()
        let responder = ClosureResponder { _ in
            .answer(RawResponse(body: [UInt8](repeating: 32, count: 9_000), whenSent: { sent.record($0) }))
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n")
            #expect(try await client.answer().headers["content-encoding"] == "gzip")
            #expect(await sent.next() == true)
        }
    }

    @Test("A response replaced by an error for lack of room was not sent")
    func replaced() async throws {
        let sent = RecordedValues<Bool>()
        let responder = ClosureResponder { _ in
            .answer(RawResponse(body: [UInt8](repeating: 32, count: 50_000), whenSent: { sent.record($0) }))
        }
        try await withServer(responder, limits: testLimits { $0.bufferedBytesMax = 40_000 }) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try await client.answer().status == 503)
        }
        #expect(sent.all == [false])
    }

    @Test("A response after the request was aborted was not sent")
    func late() async throws {
        let sent = RecordedValues<Bool>()
        let done = RecordedValues<@Sendable (Work) -> Void>()
        let responder = ClosureResponder { _ in .later { done.record($0) } }
        try await withServer(responder, limits: testLimits { $0.requestMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try await client.answer().status == 503)
            let finish = try #require(await done.next())
            finish(.answer(RawResponse(body: [], whenSent: { sent.record($0) })))
            #expect(await sent.next() == false)
        }
        #expect(sent.all == [false])
    }

    @Test("A response that the client did not wait for was not sent")
    func notTaken() async throws {
        let sent = RecordedValues<Bool>()
        let work = ParkedWork()
        try await withServer(work) { server in
            var client: RawClient? = try await server.client(receiveBuffer: 4_096)
            try await client?.send(Self.get)
            let body = [UInt8](repeating: 32, count: 16 << 20)
            let arrival = try #require(await work.arrivals.next())
            arrival.parking.answer(.answer(RawResponse(body: body, whenSent: { sent.record($0) })))
            #expect(try await client?.answerHead().status == 200)
            client = nil
            #expect(await sent.next() == false)
        }
        #expect(sent.all == [false])
    }

    @Test("Of two responses to one parked request the first is sent")
    func twice() async throws {
        let sent = RecordedValues<String>()
        let work = ParkedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            let arrival = try #require(await work.arrivals.next())
            arrival.answer("first") { sent.record("first \($0)") }
            arrival.answer("second") { sent.record("second \($0)") }
            #expect(try await client.answer().text == "first")
            try await client.send("GET /plain HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().text == "plain")
        }
        #expect(sent.all.sorted() == ["first true", "second false"])
    }
}
