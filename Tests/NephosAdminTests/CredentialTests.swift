import CloudKitWire
import Crypto
import Foundation
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import Testing

@Suite("Tokens, keys and sessions") struct CredentialTests {
    let fixture: AdminFixture

    init() throws { fixture = try AdminFixture.withContainer() }

    // MARK: API tokens

    @Test func anAPITokenIs64HexadecimalDigitsAndLetsAnAppIntoItsEnvironmentOnly() async throws {
        let token = try await fixture.admin.createAPIToken(in: AdminFixture.development, name: "Web site")
        #expect(token.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        guard case .anonymous = try fixture.caller(.apiToken(token)) else {
            Issue.record("an API token alone is nobody in particular")
            return
        }
        #expect(throws: Refusal.self) { try fixture.caller(.apiToken(token), in: AdminFixture.production) }
    }

    @Test func nothingStoredHoldsTheTextOfAnAPIToken() async throws {
        let token = try await fixture.admin.createAPIToken(in: AdminFixture.development, name: "its name")
        let stored = try stored()
        #expect(stored.contains { $0.range(of: Data("its name".utf8)) != nil })
        for bytes in stored { #expect(bytes.range(of: Data(token.utf8)) == nil, "the token is stored") }
    }

    /// The bytes of all files, or of the whole database. API tokens are text, which a database dump shows unchanged.
    private func stored() throws -> [Data] {
        if let database = fixture.place.database { return [Data(try database.dump().utf8)] }
        let folder = fixture.place.data
        return try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap {
            FileManager.default.contents(atPath: "\(folder)/\($0)")
        }
    }

    @Test func aTokenNameWithControlCharactersIsRefused() async throws {
        await #expect(throws: AdminError.self) {
            try await fixture.admin.createAPIToken(in: AdminFixture.development, name: "a\u{1B}[2J")
        }
    }

    // MARK: Sessions

    @Test func aSessionActsAsItsPersonForTwoWeeks() async throws {
        _ = try fixture.admin.createAccount(email: "mary@example.org")
        let session = try await fixture.admin.createSession(in: AdminFixture.development, email: "Mary@example.org")
        #expect(try await fixture.person(session) != nil)

        fixture.clock.advance(by: SessionRow.Kind.fixed.length - 1)
        #expect(try await fixture.person(session) != nil)
        fixture.clock.advance(by: 1)
        await #expect(throws: Refusal.self) { try await fixture.person(session) }
    }

    @Test func aPersonIsTheSameUserInEachSessionAndAnotherInEachEnvironment() async throws {
        _ = try fixture.admin.createAccount(email: "mary@example.org")
        _ = try fixture.admin.createAccount(email: "john@example.org")
        let first = try await fixture.session("mary@example.org", AdminFixture.development)
        let second = try await fixture.session("mary@example.org", AdminFixture.development)
        let john = try await fixture.session("john@example.org", AdminFixture.development)
        let production = try await fixture.session("mary@example.org", AdminFixture.production)

        #expect(first.user == second.user)
        #expect(first.privateDatabase == second.privateDatabase)
        #expect(first.user != john.user)
        #expect(first.privateDatabase != john.privateDatabase)
        #expect(first.user != production.user)
    }

    @Test func whoHasNoAccountGetsNoSession() async throws {
        await #expect(throws: AdminError.noAccount("nobody@example.org")) {
            try await fixture.admin.createSession(in: AdminFixture.development, email: "nobody@example.org")
        }
    }

    // MARK: Server-to-server keys

    @Test func aGeneratedKeySignsRequestsOfAUserOfItsOwn() async throws {
        var pem = ""
        let id = try await fixture.admin.generateServerKey(in: AdminFixture.development) { pem = $0 }
        #expect(id.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))

        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        let caller = try fixture.caller(.signed(by: key, id: id, date: "2023-11-14T22:13:20Z"))
        guard case .serverKey = caller else {
            Issue.record("a signature makes its key the caller")
            return
        }
        #expect(throws: Refusal.self) {
            try fixture.caller(
                .signed(by: P256.Signing.PrivateKey(), id: id, date: "2023-11-14T22:13:20Z"))
        }
    }

    @Test func aKeyWhosePrivateHalfCannotBeSavedIsNotRegistered() async throws {
        struct DiskIsFull: Error {}
        await #expect(throws: DiskIsFull.self) {
            try await fixture.admin.generateServerKey(in: AdminFixture.development) { _ in throw DiskIsFull() }
        }
        let store = try #require(try fixture.engine.open(AdminFixture.development))
        #expect(try store.read(ReadSet()).catalog.keys.isEmpty)
    }

    @Test func aPublicKeyIsRegisteredOnceInEachEnvironment() async throws {
        let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let id = try await fixture.admin.registerServerKey(in: AdminFixture.development, publicKeyPEM: pem)
        await #expect(throws: AdminError.keyExists(id)) {
            try await fixture.admin.registerServerKey(in: AdminFixture.development, publicKeyPEM: pem)
        }
        let other = try await fixture.admin.registerServerKey(in: AdminFixture.production, publicKeyPEM: pem)
        #expect(id == other)
    }

    @Test(arguments: ["", "hello", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", p384])
    func whatIsNoPublicKeyOnP256IsRefused(pem: String) async throws {
        await #expect(throws: AdminError.notPublicKey) {
            try await fixture.admin.registerServerKey(in: AdminFixture.development, publicKeyPEM: pem)
        }
    }

    private static let p384 = P384.Signing.PrivateKey().publicKey.pemRepresentation

    // MARK: All of them

    @Test func whatAdministrationWroteIsFoundInOrder() async throws {
        _ = try fixture.admin.createAccount(email: "mary@example.org", name: "Mary Example")
        for tenant in [AdminFixture.development, AdminFixture.production] {
            _ = try await fixture.admin.createAPIToken(in: tenant)
            _ = try await fixture.admin.createSession(in: tenant, email: "mary@example.org")
            _ = try await fixture.admin.generateServerKey(in: tenant) { _ in }
        }
        let reports = try fixture.admin.check()
        #expect(
            reports.map(\.place) == [
                "accounts and containers", "iCloud.com.example.app/development", "iCloud.com.example.app/production",
            ])
        #expect(reports.flatMap(\.findings).isEmpty)
        #expect(reports.dropFirst().allSatisfy { ($0.rows ?? 0) > 0 })
    }

    @Test func nothingIsDoneInAContainerThatIsNotThere() async throws {
        let tenant = Tenant(container: "iCloud.nobody", environment: .development)
        _ = try fixture.admin.createAccount(email: "mary@example.org")
        let missing = AdminError.noContainer("iCloud.nobody")
        await #expect(throws: missing) { try await fixture.admin.createAPIToken(in: tenant) }
        await #expect(throws: missing) {
            try await fixture.admin.createSession(in: tenant, email: "mary@example.org")
        }
        await #expect(throws: missing) {
            try await fixture.admin.generateServerKey(in: tenant) { _ in Issue.record("a key was saved") }
        }
        #expect(throws: missing) { try fixture.admin.check(container: "iCloud.nobody") }
    }
}

extension Credentials {
    static func apiToken(_ token: String) -> Credentials {
        Credentials(apiToken: token, webAuthToken: nil, signed: nil)
    }

    static func signed(by key: P256.Signing.PrivateKey, id: String, date: String) throws -> Credentials {
        let hash = Data(SHA256.hash(data: Data("{}".utf8))).base64EncodedString()
        let path = "/database/1/\(AdminFixture.container)/development/public/records/query"
        let signature = try key.signature(for: Data("\(date):\(hash):\(path)".utf8))
        return Credentials(
            apiToken: nil, webAuthToken: nil,
            signed: SignedRequest(
                keyID: id, date: date, signature: signature.derRepresentation.base64EncodedString(), target: path,
                body: Array("{}".utf8)[...]))
    }
}

extension AdminFixture {
    /// The session row for this web auth token, as a request with a valid API token would see it.
    func person(_ webAuthToken: String, in tenant: Tenant = development) async throws -> SessionRow? {
        let token = try await admin.createAPIToken(in: tenant)
        let credentials = Credentials(apiToken: token, webAuthToken: webAuthToken, signed: nil)
        guard case .person(let session) = try caller(credentials, in: tenant) else { return nil }
        return session
    }

    func session(_ email: String, _ tenant: Tenant) async throws -> SessionRow {
        try #require(try await person(try await admin.createSession(in: tenant, email: email), in: tenant))
    }
}
