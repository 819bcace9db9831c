import DeliveryTesting
import NephosDelivery
import NephosPost
import Testing

@Suite("What is sent to APNs", .serialized)
struct APNsClientTests {
    @Test("An alert goes to its device's path, with all headers and a token that the key signed")
    func alert() async throws {
        let server = try await APNsStandIn.start()
        let key = TestKey()
        try await withAPNs(server, key: key) { client, _ in
            let push = try makePush(payload: #"{"aps":{"alert":"hä"}}"#, collapse: "nöte", expiration: 1_700_003_600)
            #expect(await client.send(push) == .delivered(answer: "200"))
        }
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST" && request.path == "/3/device/\(aDevice)" && request.httpVersion == "2.0")
        #expect(request.bodyText == #"{"aps":{"alert":"hä"}}"#)
        #expect(request.header("apns-topic") == "com.example.notes")
        #expect(request.header("apns-push-type") == "alert" && request.header("apns-priority") == "10")
        #expect(request.header("apns-id") == someID && request.header("apns-expiration") == "1700003600")
        #expect(request.header("apns-collapse-id") == "nöte")
        let claims = try #require(key.claims(of: request))
        #expect(claims.algorithm == "ES256" && claims.issuedAt == 1_700_000_000)
        #expect(claims.keyID == "KEY1234567" && claims.teamID == "TEAM123456")
        #expect(TestKey().claims(of: request) == nil)
    }

    @Test("A background push has priority 5, and none of the headers that it does not need")
    func background() async throws {
        let server = try await APNsStandIn.start()
        try await withAPNs(server) { client, _ in
            let push = try makePush(kind: .background)
            #expect(await client.send(push) == .delivered(answer: "200"))
        }
        let request = try #require(server.requests.first)
        #expect(request.header("apns-push-type") == "background" && request.header("apns-priority") == "5")
        #expect(request.header("apns-expiration") == "0" && request.values(of: "apns-collapse-id").isEmpty)
    }

    @Test("Many concurrent pushes share one connection, even if it has fewer streams")
    func many() async throws {
        let server = try await APNsStandIn.start(streamsMax: 20)
        let devices = (0..<300).map { number in
            String(repeating: "0", count: 60) + String(10_000 + number).suffix(4)
        }
        try await withAPNs(server) { client, _ in
            let delivered = try await withThrowingTaskGroup(of: SendOutcome.self) { group in
                for device in devices {
                    let push = try makePush(device: device)
                    group.addTask { await client.send(push) }
                }
                return try await group.reduce(into: 0) { $0 += $1 == .delivered(answer: "200") ? 1 : 0 }
            }
            #expect(delivered == 300)
        }
        #expect(server.connections == 1)
        #expect(Set(server.requests.map(\.path)) == Set(devices.map { "/3/device/\($0)" }))
        // The same token authorized all of them.
        #expect(Set(server.requests.map { $0.header("authorization") }).count == 1)
    }
}
