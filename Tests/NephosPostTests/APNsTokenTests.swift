import DeliveryTesting
import NephosDelivery
import NephosPost
import Testing

@Suite("Provider tokens", .serialized)
struct APNsTokenTests {
    private let clock = TestClock(1_700_000_000)
    private let key = TestKey()
    private static let expired = ScriptedAnswer.apns(403, "ExpiredProviderToken")
    private static let clockIsWrong = SendOutcome.failed(
        reason: "403 ExpiredProviderToken: check this machine's clock", retryAfter: .seconds(900))

    /// Minutes between the clock's start and the creation of the token of each request.
    private func ages(_ server: APNsStandIn) throws -> [Int64] {
        try server.requests.map { (try #require(key.claims(of: $0)).issuedAt - 1_700_000_000) / 60 }
    }

    @Test("A token is used for 50 minutes")
    func age() async throws {
        let server = try await APNsStandIn.start()
        try await withAPNs(server, key: key, clock: clock) { client, push in
            for minutes: Int64 in [0, 20, 29, 1, 49, 1] {
                clock.advance(minutes: minutes)
                #expect(await client.send(push) == .delivered(answer: "200"))
            }
        }
        #expect(try ages(server) == [0, 0, 0, 50, 50, 100])
        #expect(server.requests[0].header("authorization") == server.requests[2].header("authorization"))
    }

    @Test("A token from the future, after the clock was set back, is not used")
    func future() async throws {
        let server = try await APNsStandIn.start()
        try await withAPNs(server, key: key, clock: clock) { client, push in
            for minutes: Int64 in [0, -1, -1] {
                clock.advance(minutes: minutes)
                _ = await client.send(push)
            }
        }
        #expect(try ages(server) == [0, 0, -2])
    }

    @Test("A push whose token is reported as expired is sent once more immediately, with a new token")
    func expired() async throws {
        let server = try await APNsStandIn.start([.status(200), Self.expired])
        try await withAPNs(server, key: key, clock: clock) { client, push in
            _ = await client.send(push)
            clock.advance(minutes: 5)
            #expect(await client.send(push) == .delivered(answer: "200"))
        }
        #expect(try ages(server) == [0, 0, 5])
        #expect(server.requests[1].path == server.requests[2].path)
        #expect(server.requests[1].body == server.requests[2].body)
    }

    @Test("A push is not sent a third time")
    func expiredTwice() async throws {
        let server = try await APNsStandIn.start([Self.expired, Self.expired])
        try await withAPNs(server, key: key, clock: clock) { client, push in
            #expect(await client.send(push) == Self.clockIsWrong)
        }
        #expect(server.requests.count == 2)
    }

    @Test("While new tokens are reported as expired too, at most one is created in 20 minutes")
    func updates() async throws {
        let server = try await APNsStandIn.start { _ in Self.expired }
        try await withAPNs(server, key: key, clock: clock) { client, push in
            for minutes: Int64 in [0, 10, 9, 1] {
                clock.advance(minutes: minutes)
                #expect(await client.send(push) == Self.clockIsWrong)
            }
        }
        #expect(try ages(server) == [0, 0, 0, 0, 0, 20])
    }

    @Test(
        "After the clock is corrected, the next push has a token with the correct time",
        arguments: [120, -120] as [Int64])
    func clockSet(minutes: Int64) async throws {
        let server = try await APNsStandIn.start([Self.expired, Self.expired])
        try await withAPNs(server, key: key, clock: clock) { client, push in
            _ = await client.send(push)
            clock.advance(minutes: minutes)
            #expect(await client.send(push) == .delivered(answer: "200"))
        }
        #expect(try ages(server) == [0, 0, minutes])
    }

    @Test("Many pushes with the same expired token create one new token")
    func manyExpired() async throws {
        let old = TestKeys.Seen()
        let server = try await APNsStandIn.start(otherwise: { request in
            old.isFirst(request.header("authorization")) ? Self.expired : .status(200)
        })
        try await withAPNs(server, key: key, clock: clock) { client, push in
            await withTaskGroup(of: SendOutcome.self) { group in
                for _ in 0..<50 { group.addTask { await client.send(push) } }
                for await outcome in group { #expect(outcome == .delivered(answer: "200")) }
            }
        }
        #expect(Set(server.requests.map { $0.header("authorization") }).count == 2)
    }
}
