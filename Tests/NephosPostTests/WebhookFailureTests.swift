import DeliveryTesting
import NephosDelivery
import NephosPost
import NephosTesting
import Testing

@Suite("Webhook failures", .serialized)
struct WebhookFailureTests {
    @Test("A hanging receiver times out as configured")
    func hanging() async throws {
        let server = try await WebhookStandIn.start([.hang])
        // The timeout ends as soon as the receiver has received the call.
        let wait = { @Sendable (_: Duration) in _ = await server.requests(atLeast: 1) }
        try await withWebhook(server, timeout: .seconds(77), wait: wait) { client, call in
            #expect(await client.send(call) == .failed(reason: "no answer within 77.0 seconds", retryAfter: nil))
        }
    }

    @Test("Once the status has arrived, a missing or endless body changes nothing")
    func bodies() async throws {
        #expect(try await webhookOutcome(of: .hangInBody(200), timeout: .seconds(5)) == .delivered(answer: "200"))
        #expect(try await webhookOutcome(of: .cutInBody(204)) == .delivered(answer: "204"))
        #expect(try await webhookOutcome(of: .cutInBody(500)) == .failed(reason: "500", retryAfter: nil))
    }

    @Test("An endless body is abandoned after 4 KB, with its connection")
    func endless() async throws {
        let server = try await WebhookStandIn.start([.endless(200), .endless(503)])
        let hasTimedOut = LockedBox(false)
        // The timeout ends with a fourth call, which nobody makes. Each call ends it before.
        let wait = { @Sendable (_: Duration) in
            _ = await server.requests(atLeast: 4)
            if !Task.isCancelled { hasTimedOut.withLock { $0 = true } }
        }
        try await withWebhook(server, wait: wait) { client, call in
            #expect(await client.send(call) == .delivered(answer: "200"))
            #expect(await client.send(call) == .failed(reason: "503", retryAfter: nil))
            #expect(await client.send(call) == .delivered(answer: "200"))
        }
        #expect(server.connections == 3 && !hasTimedOut.value)
    }

    // docs/protocol.md, "Webhooks".
    @Test("A receiver that sends interim responses and no other is given up, and some of them do no harm")
    func interim() async throws {
        #expect(try await webhookOutcome(of: .status(200, afterInterim: 16)) == .delivered(answer: "200"))
        let reason = "more than 16 interim responses (1xx), and no other"
        for answer in [ScriptedAnswer.endlessInterim, .status(200, afterInterim: 17)] {
            #expect(try await webhookOutcome(of: answer) == .failed(reason: reason, retryAfter: nil))
        }
    }

    @Test("A connection that is cut instead of a response")
    func cut() async throws {
        let reason = "the connection was lost before the answer"
        #expect(try await webhookOutcome(of: .cut) == .failed(reason: reason, retryAfter: nil))
    }

    @Test("A port where nothing listens")
    func closedPort() async throws {
        try await withClosedPort { port in
            try await withWebhook(await WebhookStandIn.start(), at: "http://127.0.0.1:\(port)") { client, call in
                let outcome = await client.send(call)
                #expect(outcome == .failed(reason: "cannot connect", retryAfter: nil))
            }
        }
    }

    @Test("An untrusted certificate")
    func untrusted() async throws {
        let server = try await APNsStandIn.start(speaksHTTP2: false)
        let client = try WebhookClient(allowing: ["127.0.0.1"])
        guard case .failed(let reason, nil) = try await client.send(makeCall(server.url)) else {
            Issue.record("The call must fail.")
            return
        }
        #expect(reason.hasPrefix("TLS handshake failed"))
        #expect(server.requests.isEmpty)
        try await client.shutdown()
        await server.stop()
    }

    @Test("A receiver whose certificate has a custom root")
    func ownRoot() async throws {
        let server = try await APNsStandIn.start(speaksHTTP2: false)
        let client = try WebhookClient(roots: Array(server.rootPEM.utf8), allowing: ["127.0.0.1"])
        #expect(try await client.send(makeCall(server.url)) == .delivered(answer: "200"))
        #expect(server.requests.first?.httpVersion == "1.1")
        try await client.shutdown()
        await server.stop()
    }
}
