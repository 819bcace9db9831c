import DeliveryTesting
import NephosDelivery
import NephosPost
import NephosTesting
import Testing

@Suite("When APNs cannot be reached", .serialized)
struct APNsFailureTests {
    private static let lost = SendOutcome.failed(
        reason: "the connection was lost before the answer", retryAfter: nil)

    @Test("A server that never responds times out as configured")
    func hanging() async throws {
        let server = try await APNsStandIn.start([.hang])
        let times = Times()
        // The timeout ends as soon as the server has received the push.
        let wait = { @Sendable time in
            times.append(time)
            _ = await server.requests(atLeast: 1)
        }
        try await withAPNs(server, timeout: .seconds(77), wait: wait) { client, push in
            let late = SendOutcome.failed(reason: "no answer within 77.0 seconds", retryAfter: nil)
            #expect(await client.send(push) == late)
        }
        #expect(times.all == [.seconds(77)])
    }

    @Test("A server that sends interim responses and no other is given up, and some of them do no harm")
    func interim() async throws {
        let server = try await APNsStandIn.start([.status(200, afterInterim: 16), .endlessInterim])
        try await withAPNs(server) { client, push in
            #expect(await client.send(push) == .delivered(answer: "200"))
            let reason = "more than 16 interim responses (1xx), and no other"
            #expect(await client.send(push) == .failed(reason: reason, retryAfter: nil))
            #expect(await client.send(push) == .delivered(answer: "200"))
        }
    }

    @Test("A timeout is measured on this machine's clock")
    func clock() async throws {
        let server = try await APNsStandIn.start([.hang])
        let before = ContinuousClock.now
        try await withAPNs(server, timeout: .milliseconds(300)) { client, push in
            guard case .failed(_, nil) = await client.send(push) else {
                Issue.record("A push that hangs must fail.")
                return
            }
        }
        #expect(ContinuousClock.now - before > .milliseconds(200))
    }

    @Test("A hanging push delays no others")
    func hangingBeside() async throws {
        let server = try await APNsStandIn.start([.hang])
        // The timeout ends with the third push, whose own wait ends when its response arrives.
        let wait = { @Sendable (_: Duration) in _ = await server.requests(atLeast: 4) }
        try await withAPNs(server, timeout: .seconds(77), wait: wait) { client, push in
            async let hanging = client.send(push)
            _ = await server.requests(atLeast: 1)
            #expect(await client.send(push) == .delivered(answer: "200"))
            #expect(await client.send(push) == .delivered(answer: "200"))
            _ = await client.send(push)
            #expect(await hanging == .failed(reason: "no answer within 77.0 seconds", retryAfter: nil))
        }
        #expect(server.connections == 1)
    }

    @Test("A connection cut before the response fails the push, and the next push opens another")
    func cut() async throws {
        let server = try await APNsStandIn.start([.cut])
        try await withAPNs(server) { client, push in
            #expect(await client.send(push) == Self.lost)
            #expect(await client.send(push) == .delivered(answer: "200"))
        }
        #expect(server.connections == 2)
    }

    @Test("A cut in the body loses the reason of a 400 and does not affect a 200")
    func cutInBody() async throws {
        let hidden = SendOutcome.failed(reason: "400, and the connection was lost before the reason", retryAfter: nil)
        #expect(try await outcome(of: .cutInBody(400)) == hidden)
        #expect(try await outcome(of: .cutInBody(200)) == .delivered(answer: "200"))
        #expect(try await outcome(of: .hangInBody(400), timeout: .seconds(5)) == hidden)
    }

    @Test("An endless body is not read to the end")
    func endless() async throws {
        #expect(try await outcome(of: .endless(500)) == .failed(reason: "500", retryAfter: nil))
    }

    @Test("A port where nothing listens")
    func closedPort() async throws {
        try await withClosedPort { port in
            try await withAPNs(await APNsStandIn.start(), at: "https://127.0.0.1:\(port)") { client, push in
                #expect(await client.send(push) == .failed(reason: "cannot connect", retryAfter: nil))
            }
        }
    }

    @Test("An untrusted certificate")
    func untrusted() async throws {
        let server = try await APNsStandIn.start()
        try await withAPNs(server, isTrusted: false) { client, push in
            let reason = "TLS handshake failed: is the certificate valid for this host, and trusted here?"
            #expect(await client.send(push) == .failed(reason: reason, retryAfter: nil))
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A server without HTTP/2 is not accepted as APNs, whatever it responds")
    func http1() async throws {
        let server = try await APNsStandIn.start(otherwise: { _ in .apns(410, "Unregistered") }, speaksHTTP2: false)
        try await withAPNs(server) { client, push in
            let reason = "the server does not support HTTP/2, so it is not APNs: check the host"
            #expect(await client.send(push) == .failed(reason: reason, retryAfter: .seconds(900)))
        }
    }

    @Test("A push whose task is canceled ends immediately")
    func cancelled() async throws {
        let server = try await APNsStandIn.start([.hang])
        try await withAPNs(server) { client, push in
            let task = Task { await client.send(push) }
            _ = await server.requests(atLeast: 1)
            task.cancel()
            #expect(await task.value == .failed(reason: "cancelled", retryAfter: nil))
        }
    }

    @Test("A client that was shut down reports that")
    func shutDown() async throws {
        let server = try await APNsStandIn.start()
        let key = TestKeys.one
        let configuration = try APNsConfiguration(
            key: APNsKey(pem: key.pem, teamID: key.teamID, keyID: key.keyID), topic: "com.example.notes",
            host: APNsHost(baseURL: server.url))
        let client = try APNsClient(configuration)
        try await client.shutdown()
        #expect(try await client.send(makePush()) == .failed(reason: "Already shutdown", retryAfter: nil))
        await server.stop()
    }
}
