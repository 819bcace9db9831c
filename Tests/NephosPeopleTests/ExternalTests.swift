import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Using your own login".
@Suite("People whom another server signs in") struct ExternalTests {
    private static let external = "/nephos/1/\(SmallCloud.container)/development/sign-in/external"

    private static func ask(
        _ own: PeopleCloud, _ body: String, as caller: SmallCloud.Caller = .key
    ) throws -> (answer: RawResponse, json: JSON) {
        let answer = try own.cloud.ask("POST", external, body, as: caller)
        return (answer, try JSON(reading: answer.body))
    }

    /// Sets whether the key of the cloud may sign users in.
    @discardableResult
    private static func allow(_ own: PeopleCloud, _ signsIn: Bool = true) async throws -> String {
        let key = try #require(try own.store.read(ReadSet()).catalog.keys.keys.first)
        return try await own.administration.setTerms(
            ofKey: String(key.prefix(12)).uppercased(), in: SmallCloud.tenant, signsIn: signsIn)
    }

    /// The user record for a web auth token.
    private static func user(_ own: PeopleCloud, _ token: String) throws -> String {
        let target = "\(PeopleCloud.caller)?ckAPIToken=\(own.cloud.apiToken)&ckWebAuthToken=\(token)"
        let json = try JSON(reading: try own.cloud.ask("GET", target, as: .stranger).body)
        return try #require(json["userRecordName"].string)
    }

    @Test(
        "A permitted key signs in people that its server knows: one subject is one person, with own data and no account"
    )
    func whole() async throws {
        let own = try await PeopleCloud()
        let key = try await Self.allow(own)
        func token(_ body: String) throws -> String {
            let (answer, json) = try Self.ask(own, body)
            #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store", "\(answer.text)")
            #expect(json["token_type"].string == "ckWebAuthToken" && json["expires_in"].int64 == 14 * 24 * 3_600)
            return try #require(json["access_token"].string)
        }
        // The address is that of an account, and is treated as plain text.
        let first = try token(#"{"subject":"4711","name":"<b>Ada</b>","emailAddress":"\#(PeopleCloud.email)"}"#)
        own.now += 1_000
        let second = try token(#"{"subject":"4711","name":"Ada Example"}"#)
        let other = try token(#"{"subject":"4712","emailAddress":"Mary@B\u00dcCHER.example"}"#)
        #expect(first != second)
        let user = try Self.user(own, first)
        #expect(try Self.user(own, second) == user)
        let strangers = [try Self.user(own, other), try Self.user(own, own.cloud.webAuthToken)]
        #expect(Set(strangers + [user]).count == 3)
        let save =
            #"{"operations":[{"operationType":"create","record":{"recordName":"n","recordType":"Note","fields":{}}}]}"#
        let target =
            "/database/1/\(SmallCloud.container)/development/private/records/modify?ckAPIToken=\(own.cloud.apiToken)"
        for token in [first, other] {
            let answer = try own.cloud.ask("POST", "\(target)&ckWebAuthToken=\(token)", save, as: .stranger)
            #expect(answer.text.contains("recordChangeTag"), "\(answer.text)")
        }
        // Nobody can sign in with the address that was passed.
        #expect(try own.cloud.engine.account(email: "4711") == nil)
        let people = try own.administration.externalPeople(called: nil, in: SmallCloud.tenant, limit: 10)
        #expect(people.map(\.subject) == ["4711", "4712"] && people[1].email == "mary@xn--bcher-kva.example")
        #expect(people[0].name == "Ada Example" && people[0].email.isEmpty && people[0].user.recordName == user)
        // Each sign-in is recorded.
        let record = try own.administration.accesses(of: user, in: SmallCloud.tenant, limit: 10)
        #expect(
            record.map(\.kind) == [.external, .external] && record.allSatisfy { $0.who == key && !$0.isUnannounced })
        #expect(people[0].lastAt == people[0].firstAt + 1_000)
        #expect(try own.administration.externalPeople(called: "4712", in: SmallCloud.tenant, limit: 10).count == 1)
        #expect(try own.cloud.check() == [])
    }

    @Test("No other key, app or person can do so, nor a key whose permission was removed")
    func refused() async throws {
        let own = try await PeopleCloud()
        let body = #"{"subject":"4711"}"#
        #expect(try Self.ask(own, body).json["serverErrorCode"].string == "ACCESS_DENIED")
        let key = try await Self.allow(own)
        #expect(try Self.ask(own, body, as: .person).json["serverErrorCode"].string == "ACCESS_DENIED")
        #expect(try Self.ask(own, body, as: .app).answer.status == 403)
        #expect(try Self.ask(own, body, as: .stranger).answer.status == 401)
        #expect(try Self.ask(own, body).answer.status == 200)
        try await Self.allow(own, false)
        let again = try Self.ask(own, body).json
        #expect(again["reason"].string?.contains("nephos key set CONTAINER \(key.prefix(8)) --sign-in yes") == true)
        await #expect(throws: AdminError.noServerKey("none", SmallCloud.tenant)) {
            try await own.administration.setTerms(ofKey: "none", in: SmallCloud.tenant, signsIn: true)
        }
    }

    @Test(
        "Invalid requests are rejected with the reason, and create nobody",
        arguments: [
            "", "{}", "[]", #"{"subject":""}"#, #"{"subject":"a\u0000b"}"#, #"{"subject":4711}"#,
            #"{"subject":"a","name":"b\nc"}"#, #"{"subject":"a","emailAddress":"nobody"}"#,
            #"{"subject":"a","emailAddress":"a@b\u200bc.d"}"#,
            #"{"subject":"a","email":"a@example.org"}"#, #"{"subject":"\#(String(repeating: "a", count: 256))"}"#,
        ])
    func faults(body: String) throws {
        #expect(throws: WireError.self) { try ExternalClaim(Array(body.utf8)[...]) }
    }
}
