import NIOHTTP1
import NephosHTTP
import NephosRunner
import Synchronization
import Testing

@Suite("Requests arrive complete and are answered in order")
struct TransportRequestTests {
    @Test("A body with a length arrives complete, however it is split", arguments: [1, 7, 4_096, 40_000])
    func bodyByLength(piece: Int) async throws {
        try await withServer(ClosureResponder.echo) { server in
            let client = try await server.client()
            let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let bytes = Array("POST /x HTTP/1.1\r\nContent-Length: 40000\r\n\r\n".utf8) + body
            for start in stride(from: 0, to: bytes.count, by: max(piece, 400)) {
                try await client.send(Array(bytes[start..<min(start + max(piece, 400), bytes.count)]))
            }
            #expect(try await client.answer().body == body)
        }
    }

    @Test("A chunked body is assembled; chunk extensions and trailers are skipped")
    func chunkedBody() async throws {
        try await withServer(ClosureResponder.echo) { server in
            let client = try await server.client()
            try await client.send("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            try await client.send("6;note=1\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n")
            #expect(try await client.answer().text == "hello world")
            try await client.send("POST /y HTTP/1.1\r\nContent-Length: 2\r\n\r\nok")
            #expect(try await client.answer().text == "ok")
        }
    }

    @Test("Pipelined requests are answered in order, and only one is processed at a time")
    func pipelining() async throws {
        let held = HeldWork()
        try await withServer(held) { server in
            let client = try await server.client()
            let requests = (1...100).map { "POST /\($0) HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" }
            try await client.send(requests.joined())
            for number in 1...100 {
                #expect(await held.arrival()?.target == "/\(number)")
                held.finishFirst("answer \(number)")
                #expect(try await client.answer().text == "answer \(number)")
            }
        }
    }

    @Test("Thousands of small pipelined requests are all answered, whatever thread answers")
    func manyPipelined() async throws {
        let responder = ClosureResponder { request in
            let answer = RawResponse(body: Array(request.target.utf8))
            return request.target.hasSuffix("7") ? .blocking { .answer(answer) } : .answer(answer)
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            async let sent = client.send((1...3_000).map { "GET /\($0) HTTP/1.1\r\n\r\n" }.joined())
            for number in 1...3_000 { #expect(try await client.answer().text == "/\(number)") }
            _ = try await sent
        }
    }

    @Test("The target reaches the responder exactly as it was sent")
    func rawTarget() async throws {
        try await withServer { server in
            let client = try await server.client()
            let target = "/database/1//iCloud.a/../%2e%2E/%61?ckAPIToken=a+b%2B&x=%zz"
            try await client.send("GET \(target) HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().text == "GET \(target) 0")
            #expect(server.observer.exchanges.map(\.path) == ["/database/1//iCloud.a/../%2e%2E/%61"])
        }
    }

    @Test("HEAD is answered with the length of the body but without it")
    func head() async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.send("HEAD /12345 HTTP/1.1\r\n\r\nGET /next HTTP/1.1\r\n\r\n")
            let answer = try await client.answer(toHEAD: true)
            #expect(answer.status == 200)
            #expect(answer.headers["content-length"] == "13")
            #expect(try await client.answer().text == "GET /next 0")
        }
    }

    @Test(
        "OPTIONS is answered on every path with what browsers are allowed to send, as JSON",
        arguments: ["/", "*", "/database/1/x"])
    func preflight(path: String) async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.send("OPTIONS \(path) HTTP/1.1\r\nOrigin: https://a.example\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 200)
            #expect(answer.text == "{}")
            #expect(answer.headers["access-control-allow-methods"] == "GET, HEAD, POST, PUT, OPTIONS")
            let allowed = answer.headers["access-control-allow-headers"] ?? ""
            for name in [
                "Content-Type", "X-Apple-CloudKit-Request-KeyID", "X-Apple-CloudKit-Request-ISO8601Date",
                "X-Apple-CloudKit-Request-SignatureV1", "X-Nephos-Client", "Range", "If-Range", "If-Match",
                "If-None-Match",
            ] { #expect(allowed.contains(name)) }
            #expect(answer.headers["access-control-max-age"] != nil)
        }
    }

    @Test("A client that expects 100-continue is told to continue")
    func expectContinue() async throws {
        try await withServer(ClosureResponder.echo) { server in
            let client = try await server.client()
            try await client.send("POST /x HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.answer().status == 100)
            try await client.send("hello")
            #expect(try await client.answer().text == "hello")
        }
    }

    @Test("A client that expects 100-continue for a body that is too long is rejected instead")
    func expectContinueRefused() async throws {
        try await withServer(limits: testLimits { $0.bodyBytesMax = 1_000 }) { server in
            let client = try await server.client()
            try await client.send("POST /x HTTP/1.1\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.answer().status == 413)
        }
    }

    @Test("A client that closed its side after the request still gets the response")
    func halfClosed() async throws {
        let held = HeldWork()
        try await withServer(held) { server in
            let client = try await server.client()
            try await client.send("GET /x HTTP/1.1\r\n\r\nGET /y HTTP/1.1\r\n\r\n")
            try await client.closeWriting()
            for target in ["/x", "/y"] {
                #expect(await held.arrival()?.target == target)
                held.finishFirst(target)
                #expect(try await client.answer().text == target)
            }
            #expect(try await client.rest().isEmpty)
        }
    }

    struct Persistence: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var head: String
        var stays: Bool
        var header: String?
    }

    @Test(
        "The connection stays open exactly when client and protocol request it",
        arguments: [
            Persistence(testDescription: "HTTP/1.1", head: "GET / HTTP/1.1", stays: true),
            Persistence(
                testDescription: "HTTP/1.1 with close", head: "GET / HTTP/1.1\r\nConnection: close", stays: false,
                header: "close"),
            Persistence(testDescription: "HTTP/1.0", head: "GET / HTTP/1.0", stays: false, header: "close"),
            Persistence(
                testDescription: "HTTP/1.0 with keep-alive", head: "GET / HTTP/1.0\r\nConnection: keep-alive",
                stays: true, header: "keep-alive"),
            Persistence(
                testDescription: "an offer of another protocol",
                head: "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c", stays: false, header: "close"),
        ])
    func persistence(_ persistence: Persistence) async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.send(persistence.head + "\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.text == "GET / 0")
            #expect(answer.headers["connection"] == persistence.header)
            if persistence.stays {
                try await client.send("GET /again HTTP/1.1\r\n\r\n")
                #expect(try await client.answer().text == "GET /again 0")
            } else {
                #expect(try await client.rest().isEmpty)
            }
        }
    }

    @Test("Blocking work and work done elsewhere give the same response")
    func kindsOfWork() async throws {
        let responder = ClosureResponder { request in
            let answer = Work.answer(RawResponse(body: Array(request.target.utf8)))
            switch request.target {
            case "/blocking": return .blocking { answer }
            case "/chain": return .blocking { .later { $0(.blocking { .later { $0(answer) } }) } }
            case "/later": return .later { $0(answer) }
            default: return answer
            }
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            for target in ["/answer", "/blocking", "/later", "/chain"] {
                try await client.send("GET \(target) HTTP/1.1\r\n\r\n")
                #expect(try await client.answer().text == target)
            }
        }
    }
}
