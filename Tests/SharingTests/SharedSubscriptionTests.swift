import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/protocol.md SH19.
@Suite("Subscriptions to zones of others") struct SharedSubscriptionTests {
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud() }

    private func modify(_ operations: String..., scope: String = "shared", as person: SharingCloud.Person = .friend)
        throws -> [JSON]
    {
        try people.ok(
            "\(scope)/subscriptions/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#, as: person)[
                "subscriptions"
            ].elements
    }

    private func create(_ id: String, _ type: String = "database", _ more: String = "") -> String {
        #"{"operationType":"create","subscription":{"subscriptionID":"\#(id)","subscriptionType":"\#(type)"\#(more)}}"#
    }

    private func names(_ scope: String) throws -> [String?] {
        try people.ok("\(scope)/subscriptions/list", "{}", as: .friend)["subscriptions"].elements
            .map(\.["subscriptionID"].string)
    }

    @Test("The subscriptions of the shared database are its own, whatever they are named (S1-8)")
    func names() throws {
        #expect(try modify(create("all")).map(\.["subscriptionID"].string) == ["all"])
        #expect(try modify(create("all"), create("mine"), scope: "private").count == 2)
        #expect(try names("shared") == ["all"] && names("private") == ["all", "mine"])
        let found = try people.ok(
            "shared/subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"all"},{"subscriptionID":"mine"}]}"#,
            as: .friend)["subscriptions"].elements
        #expect(found.map(\.["serverErrorCode"].string) == [nil, "NOT_FOUND"])
        for (type, more) in [
            ("zone", #","zoneID":\#(people.zoneID)"#),
            ("query", #","query":{"recordType":"Note"},"firesOn":["create"]"#),
        ] {
            let refused = try modify(create("x", type, more))[0]
            #expect(refused["serverErrorCode"] == "BAD_REQUEST", "\(refused)")
            #expect(refused["reason"] == "the shared database supports only database subscriptions")
        }
        #expect(
            try modify(#"{"operationType":"delete","subscription":{"subscriptionID":"mine"}}"#)[0]["serverErrorCode"]
                == "NOT_FOUND")
        #expect(
            try modify(#"{"operationType":"delete","subscription":{"subscriptionID":"all"}}"#)[0]["deleted"]
                == .bool(true))
        #expect(try names("shared") == [] && names("private") == ["all", "mine"])
    }

    private func payloads() async throws -> [String] { try await people.payloads().values.flatMap(\.self) }

    @Test("A device is notified that something happened in what is shared with it, and of nothing else (S1-18)")
    func notifications() async throws { try await people.cloud.delivering(notifyFriend) }

    @Sendable private func notifyFriend() async throws {
        try people.subscribe(.friend)
        _ = try modify(create("mine"), scope: "private")
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        #expect(try await payloads() == [], "an invitation is sent by the app")
        _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        let joined = try await payloads()
        #expect(joined.count == 1 && joined[0].contains(#""met":{"sid":"all","dbs":2}"#), "\(joined)")
        try people.modify([people.save("hidden", kind: "forceUpdate", text: "x")])
        #expect(try await payloads() == [])
        try people.modify([people.save("a", kind: "forceUpdate", text: "x")])
        let changed = try await payloads()
        #expect(changed.count == 1 && changed[0].contains(#""met":{"sid":"all","dbs":2}"#), "\(changed)")
        #expect(!changed[0].contains("Notes") && !changed[0].contains(people.name(.owner)), "\(changed)")
        let tag = try people.record("Share-1")["recordChangeTag"].string
        try people.modify([people.share("Share-1", of: nil, [], tag: tag)])
        #expect(try await payloads().count == 1, "that nothing is shared any more")
        try people.modify([people.save("a", kind: "forceUpdate", text: "y")])
        #expect(try await payloads() == [])
        let findings = try people.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }
}
