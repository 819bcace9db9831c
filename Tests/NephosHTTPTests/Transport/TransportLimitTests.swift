import NephosHTTP
import NephosRunner
import NephosTesting
import Testing

@Suite("Limits of the transport (docs/protocol.md, Limits)")
struct TransportLimitTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request: String
        var status: Int
        var reason: String
    }

    private static let small = testLimits { limits in
        limits.bodyBytesMax = 1_000
        limits.headerBytesMax = 2_000
        limits.headerCountMax = 20
        limits.targetBytesMax = 1_000
    }

    private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let refusals: [Refusal] = [
        Refusal(
            testDescription: "a body announced too long", request: "POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n",
            status: 413, reason: "longer than 1000 bytes"),
        Refusal(
            testDescription: "a body announced far too long",
            request: "POST / HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n",
            status: 413, reason: "longer than 1000 bytes"),
        Refusal(
            testDescription: "a chunked body that grows too long",
            request: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n\(text(1_000))\r\n1\r\na\r\n",
            status: 413, reason: "longer than 1000 bytes"),
        Refusal(
            testDescription: "one header too large", request: "GET / HTTP/1.1\r\nX: \(text(2_000))\r\n\r\n",
            status: 431, reason: "2000 bytes"),
        Refusal(
            testDescription: "headers that never end", request: "GET / HTTP/1.1\r\nX: \(text(30_000))",
            status: 431, reason: "2000 bytes"),
        Refusal(
            testDescription: "too many headers",
            request: "GET / HTTP/1.1\r\n" + (1...21).map { "X\($0): 1\r\n" }.joined() + "\r\n",
            status: 431, reason: "more than 20"),
        Refusal(
            testDescription: "a URL too long", request: "GET /\(text(1_000)) HTTP/1.1\r\n\r\n",
            status: 414, reason: "longer than 1000 bytes"),
        Refusal(
            testDescription: "a URL that never ends", request: "GET /\(text(30_000))",
            status: 414, reason: "longer than 1000 bytes"),
    ]

    @Test("A request beyond a limit is rejected, and the limit named", arguments: refusals)
    func refusal(_ refusal: Refusal) async throws {
        try await withServer(limits: Self.small) { server in
            let client = try await server.client()
            try await client.send(refusal.request)
            let answer = try await client.answer()
            #expect(answer.status == refusal.status)
            #expect(try answer.code == "BAD_REQUEST")
            #expect(try answer.reason?.contains(refusal.reason) == true)
            #expect(try answer.json["retryAfter"] == nil)
            #expect(answer.headers["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test(
        "A compressed body is rejected with 415 by its head, and the reason says what to send",
        arguments: [
            "Content-Encoding: gzip", "content-encoding: DEFLATE", "Content-Encoding: identity, br",
            "Content-Encoding: zstd\r\nExpect: 100-continue", "Transfer-Encoding: gzip, chunked",
        ])
    func compressed(header: String) async throws {
        try await withServer { server in
            let client = try await server.client()
            let length = header.hasPrefix("Transfer") ? "" : "Content-Length: 1000000000\r\n"
            try await client.send("POST / HTTP/1.1\r\n\(header)\r\n\(length)\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 415)
            #expect(try answer.code == "BAD_REQUEST")
            #expect(try answer.reason?.contains("without Content-Encoding") == true)
            #expect(answer.headers["accept-encoding"] == "identity" && answer.headers["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test(
        "A body that is not compressed is accepted, whatever its headers call that",
        arguments: ["Content-Encoding: identity", "Content-Encoding: ", "Content-Encoding: Identity, identity"])
    func uncompressed(header: String) async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.send("POST / HTTP/1.1\r\n\(header)\r\nContent-Length: 2\r\n\r\n{}")
            #expect(try await client.answer().status == 200)
            try await client.send("GET / HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\n")
            #expect(try await client.answer().status == 200)
        }
    }

    @Test("A request just within the limits is accepted")
    func withinLimits() async throws {
        try await withServer(limits: Self.small) { server in
            let client = try await server.client()
            try await client.send("POST /\(Self.text(999)) HTTP/1.1\r\nContent-Length: 1000\r\n\r\n\(Self.text(1_000))")
            #expect(try await client.answer().text.hasSuffix(" 1000"))
            try await client.send("GET / HTTP/1.1\r\nX: \(Self.text(1_999))\r\n\r\n")
            #expect(try await client.answer().status == 200)
            try await client.send("GET / HTTP/1.1\r\n" + (1...20).map { "X\($0): 1\r\n" }.joined() + "\r\n")
            #expect(try await client.answer().status == 200)
        }
    }

    @Test("A limit of megabytes is stated as the documentation states it")
    func megabytes() async throws {
        try await withServer(limits: testLimits { $0.bodyBytesMax = 50 << 20 + 65_536 }) { server in
            let client = try await server.client()
            try await client.send("POST / HTTP/1.1\r\nContent-Length: 60000000\r\n\r\n")
            #expect(
                try await client.answer().reason
                    == "The body is too long: at most 50 MB can be sent in one request; send a smaller one.")
        }
    }

    @Test("A client can keep sending after a rejection, and is not reset before it reads the response")
    func refusedWhileSending() async throws {
        let limits = testLimits { limits in
            limits.bodyBytesMax = 1_000
            limits.lingerMilliseconds = patience
        }
        try await withServer(limits: limits) { server in
            let client = try await server.client()
            try await client.send("POST / HTTP/1.1\r\nContent-Length: 8000000\r\n\r\n")
            #expect(try await client.send([UInt8](repeating: 1, count: 8_000_000)) == 8_000_000)
            #expect(try await client.answer().status == 413)
            #expect(try await client.rest().isEmpty)
            try await client.closeWriting()
        }
    }

    @Test(
        "Anything but HTTP/1 is rejected",
        arguments: [
            "BAD\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
            "GET / HTTP/1.1\r\nX : 1\r\n\r\n", "GET /\u{1} HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
        ])
    func malformed(bytes: String) async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.send(bytes)
            let answer = try await client.answer()
            #expect(answer.status == 400)
            #expect(try answer.code == "BAD_REQUEST")
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("Data that is not HTTP after a valid request is rejected after that request's response")
    func malformedBehindAGoodOne() async throws {
        let held = HeldWork()
        try await withServer(held) { server in
            let client = try await server.client()
            try await client.send("GET /good HTTP/1.1\r\n\r\nBAD\r\n\r\n")
            #expect(await held.arrival()?.target == "/good")
            held.finishFirst("good")
            #expect(try await client.answer().text == "good")
            #expect(try await client.answer().status == 400)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("The bodies of all connections stay within the budget; beyond it a client is told to try again")
    func budget() async throws {
        let held = HeldWork()
        try await withServer(held, limits: testLimits { $0.bufferedBytesMax = 100_000 }) { server in
            let request = "POST / HTTP/1.1\r\nContent-Length: 60000\r\n\r\n" + Self.text(60_000)
            let first = try await server.client()
            try await first.send(request)
            #expect(await held.arrival() != nil)
            #expect(server.transport.budget.bytes == 60_000)

            let second = try await server.client()
            try await second.send(request)
            let refusal = try await second.answer()
            #expect(refusal.status == 503)
            #expect(try refusal.code == "TRY_AGAIN_LATER")
            #expect(try refusal.json["retryAfter"] as? Int == 1)
            #expect(refusal.headers["retry-after"] == "1")
            let reason = "The server is busy: try again after retryAfter seconds; nothing was carried out."
            #expect(try refusal.reason == reason)
            // The rejection itself counts until all of it is sent, which its client may see first.
            #expect(try await Deadline().awaits { server.transport.budget.bytes == 60_000 })

            held.finishFirst("done")
            #expect(try await first.answer().text == "done")
            try await first.send(request)
            #expect(await held.arrival() != nil)
            held.finishFirst("done again")
            #expect(try await first.answer().text == "done again")
        }
    }

    @Test("Data after a running request counts against the budget, even if the client then closes its side")
    func budgetOfRequestsBehind() async throws {
        let done = RecordedValues<@Sendable (Work) -> Void>()
        let plain = Work.answer(RawResponse(body: Array("plain".utf8)))
        let responder = ClosureResponder { request in request.target == "/plain" ? plain : .later { done.record($0) } }
        try await withServer(responder, limits: testLimits { $0.bufferedBytesMax = 20_000 }) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            let finish = try #require(await done.next())
            try await client.send(String(repeating: "GET /plain HTTP/1.1\r\n\r\n", count: 2_000))
            try await client.closeWriting()
            // Two rounds of the event loop, so that it has read to the end.
            let other = try await server.client()
            for _ in 1...2 {
                try await other.send("GET /plain HTTP/1.1\r\n\r\n")
                #expect(try await other.answer().text == "plain")
            }
            #expect(server.transport.budget.bytes <= 20_000)
            finish(plain)
            #expect(try await client.answer().text == "plain")
            #expect(try await client.answer().status == 503)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("An announced length reserves nothing: many clients can announce much and send little")
    func announcementsCostNothing() async throws {
        try await withServer(limits: testLimits { $0.bufferedBytesMax = 1 << 20 }) { server in
            var clients: [RawClient] = []
            for _ in 0..<50 {
                let client = try await server.client()
                try await client.send("POST / HTTP/1.1\r\nContent-Length: 16000000\r\n\r\nabc")
                clients.append(client)
            }
            let other = try await server.client()
            try await other.send("POST / HTTP/1.1\r\nContent-Length: 500000\r\n\r\n" + Self.text(500_000))
            #expect(try await other.answer().text == "POST / 500000")
        }
    }

    @Test("A response for which the budget has no room is not sent")
    func answerOverBudget() async throws {
        let responder = ClosureResponder { request in
            let length = Int(request.target.dropFirst()) ?? 0
            return .answer(RawResponse(body: [UInt8](repeating: 32, count: length)))
        }
        let limits = testLimits { limits in
            limits.bufferedBytesMax = 50_000
            limits.smallAnswerBytesMax = 0
        }
        try await withServer(responder, limits: limits) { server in
            let client = try await server.client()
            try await client.send("GET /50000 HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().status == 200)
            try await client.send("GET /50001 HTTP/1.1\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 503)
            #expect(try answer.code == "TRY_AGAIN_LATER")
            #expect(try answer.reason?.contains("the request was carried out") == true)
        }
    }

    @Test("Small responses, such as those about health, are sent even when there is no room")
    func smallAnswers() async throws {
        let responder = ClosureResponder { _ in .answer(RawResponse(body: [UInt8](repeating: 32, count: 2_000))) }
        try await withServer(responder, limits: testLimits { $0.bufferedBytesMax = 1_000 }) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().body.count == 2_000)
        }
    }

    @Test("A connection beyond the limit is told to try again and closed; when one ends there is room again")
    func connections() async throws {
        try await withServer(limits: testLimits { $0.connectionsMax = 2 }) { server in
            let kept = try await server.client()
            try await kept.send("GET /1 HTTP/1.1\r\n\r\n")
            #expect(try await kept.answer().status == 200)
            let ending = try await server.client()
            try await ending.send("GET /2 HTTP/1.1\r\n\r\n")
            #expect(try await ending.answer().status == 200)

            let third = try await server.client()
            let refusal = try await third.answer()
            #expect(refusal.status == 503)
            #expect(try refusal.code == "TRY_AGAIN_LATER")
            #expect(try refusal.reason?.contains("2 connections") == true)
            #expect(refusal.headers["retry-after"] == "1")
            #expect(try await third.rest().isEmpty)
            try await third.closeWriting()

            try await ending.send("GET /3 HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(try await ending.answer().status == 200)
            #expect(try await ending.rest().isEmpty)
            try await ending.closeWriting()
            var status = 503
            while status == 503 {
                let next = try await server.client()
                try await next.send("GET /4 HTTP/1.1\r\n\r\n")
                status = try await next.answer().status
            }
            #expect(status == 200)
        }
    }
}
