import CloudKitWire
import Crypto
import NephosAdmin
import NephosDelivery
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// docs/running.md, "The secret key"; docs/decisions/0021.
@Suite("Rotating the key of secrets") struct SecretTests {
    private static let tenant = Cloud.development
    private static let email = "ada@example.org"

    /// A container with everything that is sealed: sessions, a webhook, a key for push services, signing keys.
    private func makeStore() async throws -> KeyedStore {
        let store = try KeyedStore()
        let admin = store.admin
        try admin.createContainer(Cloud.container)
        _ = try await admin.importSchema(
            Array(
                "DEFINE SCHEMA RECORD TYPE Open (\"___recordID\" REFERENCE QUERYABLE, n INT64, \(Cloud.grants));".utf8),
            into: Self.tenant)
        _ = try admin.createAccount(email: Self.email)
        store.tokens = [try await admin.createSession(in: Self.tenant, email: Self.email)]
        _ = try await admin.createWebhook(
            in: Self.tenant, url: "http://127.0.0.1:9/",
            for: WebhookScope(recordType: "Open", firesOn: ["create"], filters: Array("[]".utf8)))
        try await admin.configurePush(
            in: Self.tenant, team: "ABCDE12345", keyID: "ABCDE12345", pem: P256.Signing.PrivateKey().pemRepresentation,
            topic: "org.example",
            isSandbox: false)
        let server = MailServer(
            host: "mail.example.org", port: 587, encryption: .startTLS,
            login: MailServer.Login(user: "nephos", password: Secret(Array("open sesame".utf8))))
        try admin.configureMail(MailSetup(.server(server), from: try MailSender("nephos@example.org")))
        let mail = try NewMail(
            to: MailAddress(Self.email), subject: "s", text: "t", for: "test", id: Array(1...16), at: 0)
        try store.engine.directory.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(mail.row)
            return .write(writes, ())
        }
        return store
    }

    @Test("All secrets are sealed with the next key, and the previous key opens nothing")
    func rotation() async throws {
        let store = try await makeStore()
        let before = try store.secrets()
        let old = try #require(store.keys.newest)
        let next = try store.addKey()
        let report = try await store.admin.rotateSecrets()
        // A session, a webhook, a key for push services, mail settings, and a pending mail.
        #expect(report.done == 5 && report.left == 0)
        #expect(try store.secrets() == before)
        #expect(try store.findings() == [])
        #expect(throws: StorageError.self) { try store.reopen(with: [old]) }
        try store.reopen(with: [next])
        #expect(try store.secrets() == before)
        for token in store.tokens { #expect(try store.lets(in: token)) }
    }

    @Test("A rotation that was interrupted after any of its steps continues from there", arguments: 0...4)
    func interrupted(after step: Int) async throws {
        let store = try await makeStore()
        let before = try store.secrets()
        let next = try store.addKey()
        let keeper = try #require(store.engine.secrets)
        let names = try keeper.secretNames()
        if step > 0 { _ = try keeper.change(names, to: SecretNames(key: names.key, next: next.id)) }
        if step > 1 { try await store.tenant().sealSecrets(under: next.id) }
        if step > 2 { try await store.tenant(AdminFixture.production).sealSecrets(under: next.id) }
        if step > 3 {
            _ = try await store.tenant().eachSecret({ $0 is SessionRow ? .seal : nil }, progress: { _ in })
        }
        try store.reopen(with: store.allKeys)
        // A user signs in, and a container is created, before resealing continues.
        store.tokens.append(try await store.admin.createSession(in: Self.tenant, email: Self.email))
        try store.admin.createContainer("iCloud.org.example.other")
        #expect(try store.findings() == [])
        #expect(try await store.admin.rotateSecrets().left == 0)
        #expect(try store.findings() == [])
        try store.reopen(with: [next])
        #expect(try store.secrets().isSuperset(of: before))
        for token in store.tokens { #expect(try store.lets(in: token)) }
    }

    @Test("Two servers: what one writes while the other rotates is opened by the next key alone")
    func twoServers() async throws {
        let store = try await makeStore()
        let other = try store.anotherEngine()
        let others = Administration(engine: other, inputs: .live)
        let next = try store.addKey()
        let admin = store.admin
        async let rotated = admin.rotateSecrets()
        for _ in 0..<20 { store.tokens.append(try await others.createSession(in: Self.tenant, email: Self.email)) }
        #expect(try await rotated.left == 0)
        for _ in 0..<3 { store.tokens.append(try await others.createSession(in: Self.tenant, email: Self.email)) }
        other.close()
        try store.reopen(with: [next])
        for token in store.tokens { #expect(try store.lets(in: token)) }
        #expect(try store.findings() == [])
    }

    @Test("With a lost key nothing opens; a reset discards what was sealed and keeps everything else")
    func reset() async throws {
        let store = try await makeStore()
        let place = try store.tenant().read(ReadSet()).catalog.head.filePlace
        #expect(throws: StorageError.self) { try store.reopen(with: []) }
        #expect(throws: StorageError.self) { try store.reopen(with: [.random()]) }
        let next = try store.loseKeys()
        let delivery = Feature.delivery { _ in throw Failure("there is no server here") }
        let report = try await store.admin.resetSecrets(of: [delivery])
        #expect(report.done == 5 && report.left == 0)
        try store.reopen(with: [next])
        #expect(try store.admin.mailSetup() == nil && store.engine.directory.rows(MailRow.some).isEmpty)
        #expect(try store.findings() == [])
        for token in store.tokens { #expect(try !store.lets(in: token)) }
        let catalog = try store.tenant().read(ReadSet()).catalog
        #expect(catalog.pushKeys == [] && catalog.types["Open"] != nil && catalog.head.filePlace == place)
        #expect(try store.admin.webhooks(of: Self.tenant) == [])
        #expect(try store.tenant().rows(SubscriptionRow.savedAfter(0, in: 1, limit: 10)) == [])
        #expect(try store.lets(in: try await store.admin.createSession(in: Self.tenant, email: Self.email)))
        await #expect(throws: AdminError.self) { try await store.admin.resetSecrets(of: [delivery]) }
    }
}
