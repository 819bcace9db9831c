import DeliveryTesting
import NephosDelivery
import NephosPost
import Testing

@Suite("Calls of webhooks", .serialized)
struct WebhookClientTests {
    @Test("A call is a signed POST of the body")
    func request() async throws {
        let server = try await WebhookStandIn.start()
        let body = #"{"text":"hä"}"#
        try await withWebhook(server) { client, _ in
            let call = try makeCall(server.url + "/hooks/1?key=a%20b", body: body)
            #expect(await client.send(call) == .delivered(answer: "200"))
            #expect("\(call)" == "webhook call \(someID)")
        }
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST" && request.path == "/hooks/1?key=a%20b" && request.bodyText == body)
        #expect(request.header("Content-Type") == "application/json" && request.header("User-Agent") == "nephos")
        #expect(request.header("Nephos-Delivery") == someID)
        #expect(request.header("Host") == String(server.url.dropFirst("http://".count)))
        let signature = try #require(request.header("Nephos-Signature"))
        #expect(signature.hasPrefix("t=1700000000,v1="))
        let secret = Array("secret".utf8)
        #expect(WebhookSignature.isValid(signature, body: request.body, secret: secret, now: 1_700_000_000))
    }

    @Test("A URL without a path is requested at /")
    func root() async throws {
        let server = try await WebhookStandIn.start()
        try await withWebhook(server) { client, _ in
            _ = await client.send(try makeCall(server.url + "?a=1"))
        }
        #expect(server.requests.first?.path == "/?a=1")
    }

    @Test("Every 2xx is a delivery", arguments: [200, 201, 202, 204, 299])
    func delivered(status: Int) async throws {
        #expect(try await webhookOutcome(of: .status(status)) == .delivered(answer: "\(status)"))
    }

    @Test("410 disables a webhook")
    func gone() async throws {
        #expect(try await webhookOutcome(of: .status(410)) == .deviceIsGone(reason: "410"))
    }

    @Test("Redirects are not followed", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        let server = try await WebhookStandIn.start(otherwise: { _ in
            .status(status, headers: [("location", "/elsewhere")])
        })
        try await withWebhook(server) { client, call in
            let reason = "\(status): redirects are not followed; set the webhook to the final URL"
            #expect(await client.send(call) == .refused(reason: reason))
        }
        #expect(server.requests.count == 1)
    }

    @Test(
        "All other statuses are retried", arguments: [400, 401, 403, 404, 405, 408, 413, 425, 429, 500, 502, 503])
    func failed(status: Int) async throws {
        #expect(try await webhookOutcome(of: .status(status)) == .failed(reason: "\(status)", retryAfter: nil))
    }

    @Test("Retry-After is respected, up to an hour", arguments: [("120", 120), ("7200", 3_600)])
    func retryAfter(header: String, seconds: Int) async throws {
        for status in [408, 425, 429, 503] {
            let answer = ScriptedAnswer.status(status, headers: [("Retry-After", header)])
            #expect(try await webhookOutcome(of: answer) == .failed(reason: "\(status)", retryAfter: .seconds(seconds)))
        }
    }

    @Test("Calls to one receiver reuse its connection")
    func reuse() async throws {
        let server = try await WebhookStandIn.start(otherwise: { _ in .status(200, body: #"{"ok":true}"#) })
        try await withWebhook(server) { client, call in
            for _ in 0..<5 { #expect(await client.send(call) == .delivered(answer: "200")) }
        }
        #expect(server.connections == 1 && server.requests.count == 5)
    }
}
