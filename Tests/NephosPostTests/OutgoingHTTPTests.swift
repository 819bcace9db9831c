import DeliveryTesting
import NephosNetwork
import NephosPost
import NephosRunner
import Synchronization
import Testing

/// docs/decisions/0028: requests that features send, by the rules of webhooks (docs/decisions/0017).
@Suite("HTTP requests of features") struct OutgoingHTTPTests {
    /// The outcome of one request; `%` in its URL stands for the receiver's port.
    private func send(
        _ request: OutgoingRequest, answered answer: ScriptedAnswer = .status(200), allowing: [String] = ["127.0.0.1"],
        resolve: HostResolver? = nil, wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) async throws -> (Result<OutgoingAnswer, OutgoingFailure>, [RecordedRequest]) {
        let server = try await WebhookStandIn.start([answer])
        let client = try GuardedClient(allowing: allowing, resolve: resolve, wait: wait)
        var request = request
        request.url.replace("%", with: server.url.split(separator: ":").last ?? "")
        let result: Result<OutgoingAnswer, OutgoingFailure>
        do throws(OutgoingFailure) { result = .success(try await client.send(request)) } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        await server.stop()
        return (result, server.requests)
    }

    private func kind(_ result: Result<OutgoingAnswer, OutgoingFailure>) -> OutgoingFailure.Kind? {
        if case .failure(let failure) = result { failure.kind } else { nil }
    }

    @Test("Method, URL, headers and body arrive unchanged, and the response is returned complete")
    func whole() async throws {
        let request = OutgoingRequest(
            "http://127.0.0.1:%/a?b=c", method: .put, headers: [("Content-Type", "text/plain"), ("X-Own", "1")],
            body: Array("hello".utf8))
        let (result, requests) = try await send(
            request, answered: .status(418, headers: [("X-Theirs", "2")], body: "short and stout"))
        let answer = try result.get()
        #expect(answer.status == 418 && answer.first("x-theirs") == "2")
        #expect(String(decoding: answer.body, as: UTF8.self) == "short and stout")
        let received = try #require(requests.first)
        #expect(received.method == "PUT" && received.path == "/a?b=c" && received.bodyText == "hello")
        #expect(received.header("Content-Type") == "text/plain" && received.header("X-Own") == "1")
    }

    @Test("GET has no body, and a redirect is returned as the response")
    func redirect() async throws {
        let (result, requests) = try await send(
            OutgoingRequest("http://127.0.0.1:%"), answered: .status(302, headers: [("Location", "/elsewhere")]))
        #expect(try result.get().first("location") == "/elsewhere")
        #expect(
            requests.map(\.method) == ["GET"] && requests[0].path == "/" && requests[0].header("Content-Length") == nil)
    }

    @Test("An address of this machine or a private network is rejected with that reason, unless the host is permitted")
    func privateNetworks() async throws {
        let (own, requests) = try await send(OutgoingRequest("http://127.0.0.1:%/"), allowing: ["localhost"])
        #expect(kind(own) == .privateAddress && requests.isEmpty)
        for found in ["10.0.0.1", "fd00::1"] {
            let (result, _) = try await send(OutgoingRequest("https://example.com/")) { _ in
                [NetworkAddress(found)].compactMap { $0 }
            }
            #expect(kind(result) == .privateAddress)
        }
        let (named, received) = try await send(OutgoingRequest("http://LOCALHOST:%/"), allowing: ["localhost"]) { _ in
            [NetworkAddress("127.0.0.1")].compactMap { $0 }
        }
        #expect(try named.get().status == 200 && received.count == 1)
    }

    @Test("Temporary failures are distinguished from permanent ones")
    func kinds() async throws {
        let own = "http://127.0.0.1:%/"
        #expect(kind(try await send(OutgoingRequest(own), answered: .cut).0) == .passing)
        #expect(kind(try await send(OutgoingRequest(own), answered: .cutInBody(200)).0) == .passing)
        #expect(kind(try await send(OutgoingRequest("https://example.com/"), resolve: { _ in [] }).0) == .passing)
        for url in [
            "ftp://127.0.0.1/", "127.0.0.1", "https://a@example.com/", "http://exa mple.com/", "http://e.com/#a",
        ] {
            #expect(kind(try await send(OutgoingRequest(url)).0) == .impossible, "\(url)")
        }
        let long = [UInt8](repeating: 0, count: OutgoingRequest.bodyBytesMax + 1)
        let (result, requests) = try await send(OutgoingRequest(own, method: .post, body: long))
        #expect(kind(result) == .impossible && requests.isEmpty)
    }

    @Test("A response of the maximum size is accepted, and one more byte is not")
    func limit() async throws {
        let own = OutgoingRequest("http://127.0.0.1:%/", answerBytesMax: 5)
        #expect(try await send(own, answered: .status(200, body: "12345")).0.get().body.count == 5)
        #expect(kind(try await send(own, answered: .status(200, body: "123456")).0) == .impossible)
        #expect(kind(try await send(own, answered: .endless(200)).0) == .impossible)
    }

    @Test(
        "A request has its own deadline, which includes the last byte of the response",
        arguments: [
            ScriptedAnswer.hang, .hangInBody(200),
        ])
    func deadline(_ answer: ScriptedAnswer) async throws {
        let times = Times()
        let request = OutgoingRequest("http://127.0.0.1:%/", deadline: .seconds(77))
        let (result, _) = try await send(request, answered: answer, wait: { times.append($0) })
        #expect(kind(result) == .passing)
        #expect(times.all == [.seconds(77)])
    }
}
