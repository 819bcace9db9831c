import CloudKitWire
import Crypto
import Foundation
import NephosAdmin
import NephosDelivery
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import Testing

/// Webhooks as operators create and remove them.
@Suite("Webhooks") struct WebhookAdminTests {
    private static let url = "http://127.0.0.1:9/"

    private func scope(_ type: String, fields: [String] = []) -> WebhookScope {
        WebhookScope(recordType: type, firesOn: ["create"], filters: Array("[]".utf8), fields: fields)
    }

    // docs/protocol.md B11
    @Test("A rejected webhook leaves neither a key nor a subscription", arguments: ["Nobody", "Club"])
    func refused(type: String) async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(
            "CREATE ROLE Members; RECORD TYPE Club (n INT64, GRANT READ TO Members); RECORD TYPE Open (\(Cloud.grants));"
        )
        await #expect(throws: AdminError.self) {
            _ = try await cloud.admin.createWebhook(in: Cloud.development, url: Self.url, for: scope(type))
        }
        let reading = try cloud.store().read(ReadSet())
        #expect(reading.catalog.keys.isEmpty)
        #expect(try cloud.admin.webhooks(of: Cloud.development) == [])
        #expect(try cloud.check() == [])
    }

    // docs/protocol.md B9
    @Test("Removing a webhook removes its subscription")
    func removed() async throws {
        let cloud = try Cloud()
        let fields = #""___recordID" REFERENCE QUERYABLE, n INT64"#
        try await cloud.importSchema("RECORD TYPE Open (\(fields), \(Cloud.grants));")
        let made = try await cloud.admin.createWebhook(
            in: Cloud.development, url: Self.url, for: scope("Open", fields: ["n"]))
        func subscriptions() throws -> [SubscriptionRow] {
            var set = ReadSet()
            let all = SubscriptionRow.savedAfter(0, in: 1, limit: 10)
            set.ask(all)
            return try cloud.store().read(set)[all]
        }
        #expect(try subscriptions().map(\.name) == [made.subscriptionID])
        #expect(try subscriptions().map(\.user.recordName) == [made.user])
        try await cloud.admin.deleteWebhook(made.id, in: Cloud.development)
        #expect(try subscriptions() == [] && cloud.admin.webhooks(of: Cloud.development) == [])
        #expect(try cloud.check() == [])
    }

    // docs/protocol.md D15
    @Test("A webhook uses the key created for it, whatever keys are registered meanwhile")
    func ownKey() async throws {
        let cloud = try Cloud()
        let fields = #""___recordID" REFERENCE QUERYABLE"#
        try await cloud.importSchema("RECORD TYPE Open (\(fields), \(Cloud.grants));")
        let (engine, dice) = (cloud.fixture.engine, cloud.fixture.dice)
        let hasMeddled = Mutex(false)
        let foreign = Mutex<Set<String>>([])
        let others = Administration(engine: engine, inputs: Inputs(now: { 1 }, randomBytes: dice.roll))
        let admin = Administration(
            engine: engine,
            inputs: Inputs(now: { 1 }) { count in
                // The randomness for the private key.
                let isFirst = hasMeddled.withLock { hasMeddled in
                    guard count == 32, !hasMeddled else { return false }
                    hasMeddled = true
                    return true
                }
                if isFirst { foreign.withLock { $0 = Self.registerKeys(others) } }
                return dice.roll(count)
            })
        let scope = WebhookScope(recordType: "Open", firesOn: ["create"], filters: Array("[]".utf8))
        // On threads that may block: the code waits for a concurrent registration.
        let made = try await withTaskExecutorPreference(OwnThreads.ofTests) {
            try await admin.createWebhook(in: Cloud.development, url: "http://127.0.0.1:9/", for: scope)
        }
        let catalog = try cloud.store().read(ReadSet()).catalog
        let own = try #require(catalog.keys.values.first { $0.user.recordName == made.user })
        #expect(foreign.withLock { $0.count } == 4 && catalog.keys.count == 5)
        #expect(!foreign.withLock { $0 }.contains(own.id), "the webhook acts as somebody else's key")
        #expect(try cloud.check() == [])
    }

    /// Blocks the caller's thread until the registration is complete. - Returns: The IDs of four keys.
    private static func registerKeys(_ admin: Administration) -> Set<String> {
        blocking {
            var ids: Set<String> = []
            for _ in 0..<4 {
                let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
                guard let id = try? await admin.registerServerKey(in: Cloud.development, publicKeyPEM: pem) else {
                    break
                }
                ids.insert(id)
            }
            return ids
        }
    }
}
