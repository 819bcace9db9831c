import CloudKitWire
import Crypto
import Foundation
import NephosAdmin
import NephosDelivery
import NephosDomain
import NephosRunner
import NephosStorage
import Testing

/// docs/running.md, "Revoking access".
@Suite("Revoking credentials") struct RevokingTests {
    let fixture: AdminFixture
    private var admin: Administration { fixture.admin }
    private let place = AdminFixture.development

    init() throws { fixture = try AdminFixture.withContainer() }

    // MARK: Tokens and keys

    @Test func tokensOfOneNameAreToldApartByTheIDThatTheListHas() async throws {
        let tokens = [
            try await admin.createAPIToken(in: place, name: "web"),
            try await admin.createAPIToken(in: place, name: "web"),
        ]
        let listed = try admin.credentials(.token, of: place)
        #expect(listed.map(\.name) == ["web", "web"] && Set(listed.map(\.id)).count == 2)
        for token in tokens { #expect(!listed.contains { token.contains($0.id) }, "a list shows a secret") }
        let first = Hexadecimal.text(SHA256.hash(data: Data(tokens[0].utf8)).prefix(8))
        try await admin.rename(.token, String(first.prefix(12)), in: place, to: "old web")
        fixture.clock.advance(by: 5)
        try await admin.revoke(.token, first, in: place)
        #expect(throws: Refusal.self) { try fixture.caller(.apiToken(tokens[0])) }
        _ = try fixture.caller(.apiToken(tokens[1]))
        let after = try #require(try admin.credentials(.token, of: place).first { $0.id == first })
        #expect(after.name == "old web" && after.revokedAt == fixture.clock.read())
        // Repeating it changes nothing, not even the time.
        fixture.clock.advance(by: 5)
        try await admin.revoke(.token, first, in: place)
        #expect(try admin.credentials(.token, of: place).contains(after))
        #expect(try admin.check().flatMap(\.findings) == [])
    }

    @Test func aKeyIsRenamedAndTakenBackAndGoodAgainWhenItIsRegisteredAgain() async throws {
        let key = P256.Signing.PrivateKey()
        let pem = key.publicKey.pemRepresentation
        let id = try await admin.registerServerKey(in: place, publicKeyPEM: pem)
        try await admin.rename(.key, id, in: place, to: "import")
        try await admin.revoke(.key, String(id.prefix(10)), in: place)
        let listed = try admin.credentials(.key, of: place)
        #expect(listed.map(\.id) == [id] && listed.map(\.name) == ["import"] && listed[0].revokedAt > 0)
        let request = try Credentials.signed(by: key, id: id, date: "2023-11-14T22:13:20Z")
        #expect(throws: Refusal.self) { try fixture.caller(request) }
        #expect(try await admin.registerServerKey(in: place, publicKeyPEM: pem) == id)
        _ = try fixture.caller(request)
        #expect(try admin.check().flatMap(\.findings) == [])
    }

    @Test func whatIsNotThereOrMeantByTwoIsRefused() async throws {
        for _ in 0..<17 { _ = try await admin.createAPIToken(in: place) }
        // Two of 17 hashes begin with the same digit.
        let digits = try admin.credentials(.token, of: place).map { String($0.id.prefix(1)) }
        let twice = try #require(digits.first { digit in digits.count { $0 == digit } > 1 })
        let error = await #expect(throws: AdminError.self) { try await admin.revoke(.token, twice, in: place) }
        #expect(error?.description.contains("begin with \(twice). Pass more of the id.") == true)
        for id in ["", "no such"] {
            await #expect(throws: AdminError.noToken(id, place)) { try await admin.revoke(.token, id, in: place) }
            await #expect(throws: AdminError.noServerKey(id, place)) { try await admin.revoke(.key, id, in: place) }
            await #expect(throws: AdminError.noSession(id, place)) { _ = try await admin.revokeSession(id, in: place) }
        }
        await #expect(throws: AdminError.self) { try await admin.rename(.token, digits[0], in: place, to: "\u{7}") }
        #expect(try admin.credentials(.token, of: place).allSatisfy { $0.revokedAt == 0 })
    }

    // MARK: Sessions

    private func register(_ session: SessionRow, phone: UInt8? = nil) async throws -> DeviceRow {
        let store = try #require(try fixture.engine.open(place))
        let context = RequestContext(
            catalog: try store.read(ReadSet()).catalog, caller: .person(session),
            admission: Admission(session: session.id), scope: .public, now: fixture.clock.read())
        let token = phone.map { Hexadecimal.text([UInt8](repeating: $0, count: 32)) }
        let json = "{\"apnsEnvironment\":\"production\"" + (token.map { ",\"apnsToken\":\"\($0)\"" } ?? "") + "}"
        let request = try PushTokenRequest(json: Bytes(json))
        let operation =
            phone == nil
            ? try RegisterDevice(creating: request, context: context, newID: fixture.dice.roll(16))
            : try RegisterDevice(registering: request, context: context)
        return try await store.commit(operation.reading, decide: operation.decide)
    }

    private func devices(_ user: UserID) throws -> Set<[UInt8]> {
        let store = try #require(try fixture.engine.open(place))
        let home = try #require(try store.rows(UserRow.keyed([user])).first?.home)
        return Set(try store.rows(DeviceRow.of([(user, home)])).map(\.key.id))
    }

    @Test func aSessionGoesWithItsPhoneAndItsPage() async throws {
        _ = try admin.createAccount(email: "mary@example.org")
        let first = try await fixture.session("mary@example.org", place)
        let second = try await fixture.session("mary@example.org", place)
        let gone = [try await register(first), try await register(first, phone: 1)]
        let kept = [try await register(second), try await register(second, phone: 2)]
        #expect(try devices(first.user).count == 4)
        let revoked = try await admin.revokeSession(Hexadecimal.text(first.id), in: place)
        #expect((revoked.tenant, revoked.sessions, revoked.devices) == (place, 1, 2))
        #expect(try devices(first.user) == Set(kept.map(\.key.id)) && gone.count == 2)
        let listed = try admin.sessions(of: place, email: "mary@example.org", limit: 9)
        #expect(listed.count { $0.revokedAt > 0 } == 1 && listed.allSatisfy { $0.person == "mary@example.org" })
        #expect(try admin.check().flatMap(\.findings) == [])
    }

    @Test func aPhoneBelongsToTheSessionThatRegisteredItLast() async throws {
        _ = try admin.createAccount(email: "mary@example.org")
        let first = try await fixture.session("mary@example.org", place)
        let second = try await fixture.session("mary@example.org", place)
        _ = try await register(first, phone: 1)
        let phone = try await register(second, phone: 1)
        #expect(try await admin.revokeSession(Hexadecimal.text(first.id), in: place).devices == 0)
        #expect(try devices(first.user) == [phone.key.id])
    }

    @Test func allOfAPersonGoEverywhereWithEveryDevice() async throws {
        for email in ["mary@example.org", "john@example.org"] { _ = try admin.createAccount(email: email) }
        let mary = try await fixture.session("mary@example.org", place)
        let john = try await fixture.session("john@example.org", place)
        _ = try await admin.createSession(in: AdminFixture.production, email: "mary@example.org")
        // More than one transaction can revoke.
        for _ in 0..<RevokeSessions.most { _ = try await admin.createSession(in: place, email: "mary@example.org") }
        _ = try await register(mary, phone: 1)
        let kept = try await register(john, phone: 2)
        try await forgetSession(of: 1)
        let revoked = try await admin.revokeAllSessions(of: "Mary@example.org")
        #expect(revoked.map(\.tenant) == [place, AdminFixture.production])
        #expect(revoked.map(\.sessions) == [RevokeSessions.most + 1, 1] && revoked.map(\.devices) == [1, 0])
        #expect(try devices(mary.user).isEmpty && devices(john.user) == [kept.key.id])
        #expect(try admin.sessions(of: place, email: "john@example.org", limit: 9).allSatisfy { $0.revokedAt == 0 })
        #expect(try admin.check().flatMap(\.findings) == [])
    }

    /// A phone as it was stored before devices were linked to sessions.
    private func forgetSession(of phone: UInt8) async throws {
        let id = Array(SHA256.hash(data: Data(Hexadecimal.text([UInt8](repeating: phone, count: 32)).utf8)).prefix(16))
        var set = ReadSet()
        let phones = DeviceRow.withID(id)
        set.ask(phones)
        let store = try #require(try fixture.engine.open(place))
        try await store.commit(set) { reading in
            var writes = WriteSet()
            for old in reading[phones] {
                var new = old
                new.session = []
                writes.put(new, replacing: old)
            }
            return .write(writes, ())
        }
    }

    // MARK: Accounts

    @Test func accountsAreListedAndShownWithWhereTheirPersonsHaveSignedIn() async throws {
        for email in ["mary@example.org", "john@example.org"] { _ = try admin.createAccount(email: email) }
        #expect(try admin.accounts(limit: 9).map(\.email) == ["john@example.org", "mary@example.org"])
        #expect(try admin.accounts(after: "John@example.org", limit: 9).map(\.email) == ["mary@example.org"])
        let mary = try admin.account(email: "mary@example.org")
        #expect(try admin.memberships(of: mary) == [])
        let session = try await fixture.session("mary@example.org", place)
        _ = try await fixture.session("mary@example.org", place)
        _ = try await register(session)
        _ = try await register(session, phone: 1)
        _ = try await admin.revokeSession(Hexadecimal.text(session.id), in: place)
        let other = try await fixture.session("mary@example.org", place)
        _ = try await register(other, phone: 2)
        let found = try admin.memberships(of: mary)
        #expect(found.map(\.tenant) == [place] && found.map(\.user) == [session.user.recordName])
        #expect(found.map(\.sessions) == [2] && found.map(\.phones) == [1] && found.map(\.couriers) == [0])
    }

    @Test func aListShowsTheLastDayOnWhichACredentialWasUsed() async throws {
        _ = try admin.createAccount(email: "mary@example.org")
        let token = try await admin.createAPIToken(in: place)
        let session = try await fixture.session("mary@example.org", place)
        let store = try #require(try fixture.engine.open(place))
        try await store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(CredentialUseRow(key: CredentialKey(.session, session.id), day: 20_000))
            writes.put(CredentialUseRow(key: CredentialKey(.token, APIToken.hash(token)), day: 20_001))
            return .write(writes, ())
        }
        #expect(try admin.sessions(of: place, limit: 9).map(\.lastDay) == [20_000])
        #expect(try admin.credentials(.token, of: place).compactMap(\.lastDay) == [20_001])
        #expect(try admin.memberships(of: admin.account(email: "mary@example.org")).map(\.lastDay) == [20_000])
    }
}
