import NIOCore
import NIOHTTP1
import NephosHTTP
import NephosRunner
import Testing

@Suite("A body can be read piece by piece (docs/protocol.md, Limits)", .serialized)
struct TransportUploadTests {
    static let plain = "GET /plain HTTP/1.1\r\n\r\n"

    @Test("200 MB arrive unchanged, with little memory; the connection continues after them")
    func large() async throws {
        try await withThreads { threads in
            let taker = PatternTaker(threads: threads)
            try await withServer(taker) { server in
                taker.watch(server.transport.budget)
                let client = try await server.client()
                let (length, step) = (200_000_000, 1_000_000)
                try await client.send("POST /up HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n")
                for at in stride(from: 0, to: length, by: step) {
                    #expect(try await client.send(Pattern.bytes(at..<at + step)) == step)
                }
                #expect(try await client.answer().text == "\(length)")
                try await client.send(Self.plain)
                #expect(try await client.answer().text == "plain")
                #expect(taker.mostCounted > 0)
                #expect(taker.mostCounted <= 600_000)
            }
            #expect(taker.endings.all == ["success()"])
        }
    }

    @Test("A chunked body of any chunk size arrives unchanged", arguments: [1, 700, 70_000])
    func chunks(size: Int) async throws {
        try await withThreads { threads in
            let taker = PatternTaker(threads: threads)
            try await withServer(taker) { server in
                let client = try await server.client()
                let length = size * 50
                try await client.send("POST /up HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
                for at in stride(from: 0, to: length, by: size) {
                    try await client.send("\(String(size, radix: 16))\r\n")
                    try await client.send(Pattern.bytes(at..<at + size))
                    try await client.send("\r\n")
                }
                try await client.send("0\r\n\r\n" + Self.plain)
                #expect(try await client.answer().text == "\(length)")
                #expect(try await client.answer().text == "plain")
            }
        }
    }

    @Test("The owner gets the request without its body, and the complete body before the end")
    func pieces() async throws {
        let work = OwnedBodies()
        let observer = try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("POST /up?a=b HTTP/1.1\r\nX-Name: value\r\nContent-Length: 6\r\n\r\nabc")
            let reader = try #require(await work.arrivals.next())
            #expect(reader.request.target == "/up?a=b")
            #expect(reader.request.headers["x-name"] == ["value"])
            #expect(reader.request.body.isEmpty)
            #expect(try await reader.nextBytes() == Array("abc".utf8))
            try await client.send("def")
            #expect(try await reader.rest() == Array("def".utf8))
            reader.answer("done")
            #expect(try await client.answer().text == "done")
        }
        #expect(observer.exchanges.map(\.bytesIn) == [6])
    }

    @Test(
        "An empty body ends immediately",
        arguments: ["Content-Length: 0\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])
    func empty(rest: String) async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("POST /up HTTP/1.1\r\n" + rest + Self.plain)
            let reader = try #require(await work.arrivals.next())
            #expect(try await reader.nextBytes().isEmpty)
            reader.answer("done")
            #expect(try await client.answer().text == "done")
            #expect(try await client.answer().text == "plain")
        }
    }

    @Test("GET and HEAD have no body owner; an HTTP/1.0 client is answered and its connection closed")
    func otherRequests() async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("GET /up HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().text == "plain")
            try await client.send("POST /up HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc")
            let reader = try #require(await work.arrivals.next())
            #expect(try await reader.rest() == Array("abc".utf8))
            reader.answer("done")
            #expect(try await client.answer().text == "done")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("Pipelined requests after an upload are answered after it")
    func pipelined() async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            let client = try await server.client()
            let upload = "POST /up HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
            try await client.send(Self.plain + upload + Self.plain + upload + Self.plain)
            #expect(try await client.answer().text == "plain")
            for text in ["first", "second"] {
                let reader = try #require(await work.arrivals.next())
                #expect(try await reader.rest() == Array("abc".utf8))
                reader.answer(text)
                #expect(try await client.answer().text == text)
                #expect(try await client.answer().text == "plain")
            }
        }
    }

    @Test("A client that expects 100-continue is told to continue once the body is wanted")
    func invited() async throws {
        let work = OwnedBodies()
        try await withServer(work) { server in
            let client = try await server.client()
            let head = "POST /up HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            try await client.send(head)
            let reader = try #require(await work.arrivals.next())
            async let body = reader.rest()
            #expect(try await client.answer().status == 100)
            try await client.send("abc")
            #expect(try await body == Array("abc".utf8))
            reader.answer("done")
            #expect(try await client.answer().text == "done")

            try await client.send(head)
            try #require(await work.arrivals.next()).answer("no", status: 403)
            let refusal = try await client.answer()
            #expect(refusal.status == 403, "and not 100 before it")
            #expect(refusal.headers["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A rejection is sent while the body still arrives, and the client is not reset before it reads it")
    func refused() async throws {
        let work = OwnedBodies()
        try await withServer(work, limits: testLimits { $0.lingerMilliseconds = patience }) { server in
            let client = try await server.client()
            try await client.send("POST /up HTTP/1.1\r\nContent-Length: 8000000\r\n\r\n")
            let reader = try #require(await work.arrivals.next())
            #expect(try await client.send(Pattern.bytes(0..<1_000)) == 1_000)
            #expect(try await reader.nextBytes().isEmpty == false)
            #expect(reader.answer(.answer(RawResponse(status: 403, body: Array("no".utf8)))))
            #expect(try await client.send(Pattern.bytes(0..<7_999_000)) == 7_999_000)
            #expect(try await client.answer().status == 403)
            #expect(try await client.rest().isEmpty)
            #expect(!reader.answer(.answer(RawResponse(body: []))), "answered before")
            #expect(await reader.ending() != nil)
            try await client.closeWriting()
        }
    }

    @Test("An error thrown by the owner's consumer is passed to the owner, which responds")
    func consumerThrows() async throws {
        try await withThreads { threads in
            let taker = PatternTaker(threads: threads)
            try await withServer(taker) { server in
                let client = try await server.client()
                try await client.send("POST /up HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nsomething else")
                #expect(try await client.answer().status == 200)
                #expect(try await client.rest().isEmpty)
            }
            #expect(taker.endings.all == ["failure(NephosHTTPTests.PatternTaker.Different())"])
        }
    }
}
