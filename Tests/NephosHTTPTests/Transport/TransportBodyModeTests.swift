import NIOHTTP1
import NephosHTTP
import NephosRunner
import Synchronization
import Testing

/// A body is received when the responder decides: docs/protocol.md, "Limits".
@Suite("Bodies that wait for a decision") struct TransportBodyModeTests {
    /// Decides when the test requests it.
    private final class Undecided: Responder {
        private let deciding = Mutex<(@Sendable (RequestBodyMode) -> Void)?>(nil)
        let asked = RecordedValues<Int?>()

        func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
            .later { done in
                self.deciding.withLock { $0 = done }
                self.asked.record(bodyBytes)
            }
        }

        func decide(_ bodyMode: RequestBodyMode) { deciding.withLock { $0 }?(bodyMode) }

        func respond(to request: RawRequest) -> Work {
            .answer(RawResponse(body: Array("\(request.body.count)".utf8)))
        }
    }

    private func head(_ length: Int, _ more: String = "") -> String {
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    @Test("A body stays in the socket until it is accepted, and then arrives complete")
    func later() async throws {
        let responder = Undecided()
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send(head(300_000))
            #expect(await responder.asked.next() == 300_000)
            async let sent = client.send(String(repeating: "x", count: 300_000))
            // Meanwhile a second connection is served, so that the first had every opportunity to read.
            let other = try await server.client()
            try await other.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await other.answer().status == 200)
            #expect(server.transport.budget.bytes <= 32_768)
            responder.decide(.whole)
            #expect(try await client.answer().text == "300000")
            #expect(try await sent == 300_000)
            // The connection continues.
            try await client.send(head(3) + "abc")
            #expect(await responder.asked.next() == 3)
            responder.decide(.whole)
            #expect(try await client.answer().text == "3")
        }
    }

    @Test("An unwanted body is answered without being read, and the connection closes")
    func unread() async throws {
        let responder = Undecided()
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send(head(10_000_000))
            _ = await responder.asked.next()
            responder.decide(.unread { _ in .answer(RawResponse(status: 401, body: Array("{}".utf8))) })
            let answer = try await client.answer()
            #expect(answer.status == 401 && answer.headers["connection"] == "close")
            #expect(server.transport.budget.bytes <= 32_768)
        }
    }

    @Test("The decision is made before 100 Continue is sent")
    func expectation() async throws {
        let responder = Undecided()
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send(head(3, "Expect: 100-continue\r\n"))
            #expect(await responder.asked.next() == .some(nil))
            responder.decide(.whole)
            #expect(try await client.answerHead().status == 100)
            try await client.send("abc")
            #expect(try await client.answer().text == "3")
        }
    }

    @Test("A missing decision ends with the request timeout, and a late one has no effect")
    func overdue() async throws {
        let responder = Undecided()
        let limits = testLimits { $0.requestMilliseconds = 50 }
        try await withServer(responder, limits: limits) { server in
            let client = try await server.client()
            try await client.send(head(100_000))
            _ = await responder.asked.next()
            #expect(try await client.answer().status == 503)
            responder.decide(.whole)
        }
    }
}
