import CZlib
import NephosHTTP
import NephosRunner
import Testing

@Suite("Responses have the headers that clients rely on")
struct TransportAnswerTests {
    private struct UnexpectedError: Error, CustomStringConvertible { let description = "secret of the disk" }

    @Test("Every response, errors too, has a request id, the version and CORS headers", arguments: ["GET /", "BAD"])
    func commonHeaders(start: String) async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.send("\(start) HTTP/1.1\r\n\r\n")
            let answer = try await client.answer()
            let id = try #require(answer.headers["x-apple-request-uuid"])
            #expect(id.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
            #expect(answer.headers["content-type"] == "application/json; charset=UTF-8")
            #expect(answer.headers["x-apple-cloudkit-version"] == "1.0")
            #expect(answer.headers["access-control-allow-origin"] == "*")
            let exposed = answer.headers["access-control-expose-headers"] ?? ""
            for name in ["X-Apple-Request-UUID", "X-Apple-CloudKit-Web-Auth-Token", "X-Responding-Instance", "Via"] {
                #expect(exposed.contains(name))
            }
            #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
            if answer.status != 200 { #expect(try answer.json["uuid"] as? String == id) }
            #expect(server.observer.exchanges.map(\.id.text) == [id])
        }
    }

    @Test("A response's own headers are sent; one that would break the response is omitted")
    func ownHeaders() async throws {
        let responder = ClosureResponder { _ in
            .answer(
                RawResponse(
                    body: [],
                    headers: [("X-Good", "a b"), ("X-Bad", "a\r\nX-Evil: 1"), ("X Bad", "1"), ("X-Wide", "é")]))
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.headers["x-good"] == "a b")
            for name in ["x-bad", "x-evil", "x bad", "x-wide"] { #expect(answer.headers[name] == nil) }
        }
    }

    @Test("304 has no length, and the connection continues after it")
    func notModified() async throws {
        let responder = ClosureResponder { request in
            .answer(
                RawResponse(status: request.target == "/same" ? 304 : 200, body: request.target == "/same" ? [] : [49]))
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send("GET /same HTTP/1.1\r\n\r\nGET /other HTTP/1.1\r\n\r\n")
            let same = try await client.answer()
            #expect(same.status == 304 && same.headers["content-length"] == nil)
            #expect(try await client.answer().body == [49])
        }
    }

    @Test(
        "An unforeseen error is logged under the request's id and answered without detail",
        arguments: ["/thrown", "/said"])
    func unforeseen(target: String) async throws {
        let responder = ClosureResponder { request in
            request.target == "/said" ? .failed(UnexpectedError()) : .blocking { throw UnexpectedError() }
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send("GET \(target) HTTP/1.1\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 500)
            #expect(try answer.code == "INTERNAL_ERROR")
            #expect(!answer.text.contains("secret"))
            let id = try #require(answer.headers["x-apple-request-uuid"])
            #expect(server.observer.failures == [id: "secret of the disk"])
            try await client.send("GET \(target) HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().status == 500, "the connection goes on")
        }
    }

    struct Coding: Sendable {
        var accept: String
        var length: Int
        var isCompressed: Bool
    }

    @Test(
        "A response is compressed if the client accepts that and the response is long enough",
        arguments: [
            Coding(accept: "gzip", length: 1_024, isCompressed: true),
            Coding(accept: "br;q=1.0, GZIP;q=0.5", length: 200_000, isCompressed: true),
            Coding(accept: "*", length: 5_000, isCompressed: true),
            Coding(accept: "gzip", length: 1_023, isCompressed: false),
            Coding(accept: "gzip;q=0, deflate", length: 5_000, isCompressed: false),
            Coding(accept: "identity", length: 5_000, isCompressed: false),
        ], ["/now", "/elsewhere"])
    func gzip(_ coding: Coding, target: String) async throws {
        let body = (0..<coding.length).map { UInt8(ascii: "a") + UInt8($0 % 17) }
        let responder = ClosureResponder { request in
            let answer = Work.answer(RawResponse(body: body))
            return request.target == "/now" ? answer : .blocking { answer }
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            for _ in 1...2 {
                try await client.send("GET \(target) HTTP/1.1\r\nAccept-Encoding: \(coding.accept)\r\n\r\n")
                let answer = try await client.answer()
                #expect(answer.headers["content-encoding"] == (coding.isCompressed ? "gzip" : nil))
                #expect((coding.isCompressed ? gunzip(answer.body, length: coding.length) : answer.body) == body)
            }
        }
    }

    private func gunzip(_ bytes: [UInt8], length: Int) -> [UInt8] {
        var stream = z_stream()
        inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&stream) }
        var source = bytes
        return source.withUnsafeMutableBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: length) { room, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = room.baseAddress
                stream.avail_out = UInt32(length)
                inflate(&stream, Z_FINISH)
                count = length - Int(stream.avail_out)
            }
        }
    }
}
