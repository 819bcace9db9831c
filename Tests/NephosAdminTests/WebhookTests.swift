import CloudKitWire
import NephosAdmin
import NephosStorage
import Testing

/// Webhooks as operators make and remove them.
@Suite("Webhooks") struct WebhookAdminTests {
    private static let url = "http://127.0.0.1:9/"

    private func wish(_ type: String, fields: [String] = []) -> WebhookWish {
        WebhookWish(recordType: type, firesOn: ["create"], filters: Array("[]".utf8), fields: fields)
    }

    // docs/protocol.md B11
    @Test("What is refused leaves neither a key nor a subscription", arguments: ["Nobody", "Club"])
    func refused(type: String) async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(
            "CREATE ROLE Members; RECORD TYPE Club (n INT64, GRANT READ TO Members); RECORD TYPE Open (\(Cloud.grants));"
        )
        await #expect(throws: AdminError.self) {
            _ = try await cloud.admin.createWebhook(in: Cloud.development, url: Self.url, for: wish(type))
        }
        let reading = try cloud.store().read(ReadSet())
        #expect(reading.catalog.keys.isEmpty)
        #expect(try cloud.admin.webhooks(of: Cloud.development) == [])
        #expect(try cloud.check() == [])
    }

    // docs/protocol.md B9
    @Test("A webhook that is removed takes its subscription with it")
    func removed() async throws {
        let cloud = try Cloud()
        let fields = #""___recordID" REFERENCE QUERYABLE, n INT64"#
        try await cloud.importSchema("RECORD TYPE Open (\(fields), \(Cloud.grants));")
        let made = try await cloud.admin.createWebhook(
            in: Cloud.development, url: Self.url, for: wish("Open", fields: ["n"]))
        func subscriptions() throws -> [SubscriptionRow] {
            var set = ReadSet()
            set.subscriptions = [SubscriptionScan(database: 1, which: .savedAfter(0), limit: 10)]
            return try cloud.store().read(set).subscriptions[0]
        }
        #expect(try subscriptions().map(\.name) == [made.subscriptionID])
        #expect(try subscriptions().map(\.user.recordName) == [made.user])
        try await cloud.admin.deleteWebhook(made.id, in: Cloud.development)
        #expect(try subscriptions() == [] && cloud.admin.webhooks(of: Cloud.development) == [])
        #expect(try cloud.check() == [])
    }
}
