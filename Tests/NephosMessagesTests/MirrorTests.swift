import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Apps without support for messages".
@Suite("Messages in the record type of twelve fields") struct MirrorTests {
    private func cloud() async throws -> MessageCloud { try await MessageCloud(more: #","mirror":"Communs""#) }

    /// What an app that knows the template reads: the records that are current.
    private func current(_ own: MessageCloud) throws -> [JSON] {
        let query =
            #"{"query":{"recordType":"Communs","filterBy":[{"comparator":"EQUALS","fieldName":"isCurrent","fieldValue":{"value":1}}]}}"#
        return try JSON(reading: own.database("records/query", query, as: .app).body)["records"].elements
    }

    private func field(_ name: String, of record: JSON) -> JSON { record["fields"][name]["value"] }

    @Test(
        "The schedule makes a message current and ends it, with packed texts and an increasing number (S2-16, S2-25, S2-26)"
    )
    func schedule() async throws {
        let own = try await cloud()
        let start = own.now + 1_000
        let texts = ["title": #"{"en":"1 = 1 | yes","es":"sí"}"#, "list": #"[{"en":"one","es":"uno"}]"#]
        #expect(try own.save("a", MessageCloud.complete(.newVersion, texts), at: start, until: start + 1_000) == "")
        #expect(try own.save("b", MessageCloud.complete(.website), at: start + 1_000) == "")
        await own.cloud.runDueJobs()
        // Nobody reads it there before its time, either.
        #expect(try current(own).isEmpty)
        #expect(
            try JSON(reading: own.database("records/query", #"{"query":{"recordType":"Communs"}}"#, as: .friend).body)[
                "records"
            ].elements.isEmpty)

        own.now = start
        await own.cloud.runDueJobs()
        let first = try #require(try current(own).first)
        #expect(try current(own).count == 1)
        #expect(field("title", of: first) == "en=1 ＝ 1 ｜ yes|es=sí")
        #expect(field("content", of: first) == "en=body\n• one|es=body (es)\n• uno")
        #expect(field("type", of: first) == "newVersion|2.5" && field("version", of: first) == 0)
        #expect(field("identifier", of: first) == 1 && field("okayTitle", of: first) == "en=okay|es=okay (es)")
        #expect(field("imageLabel", of: first) == field("title", of: first))
        // An app without the picture shows nothing.
        let url = try #require(first["fields"]["image"]["value"]["downloadURL"].string)
        #expect(try own.file("GET", url).starts(with: [0x89, 0x50, 0x4E, 0x47]))

        own.now = start + 1_000
        await own.cloud.runDueJobs()
        let second = try #require(try current(own).first)
        #expect(try current(own).count == 1)
        #expect(field("type", of: second) == "website|https://example.org/new" && field("identifier", of: second) == 2)
        // A kind without that button has some text there, which the app requires.
        #expect(field("okayTitle", of: second) == "en=action|es=action (es)")

        // An edit is mirrored, withdrawing removes it, and published again it has its number.
        #expect(try own.save("b", MessageCloud.complete(.website, ["url": "https://example.org/x"]), at: own.now) == "")
        await own.cloud.runDueJobs()
        #expect(try field("type", of: #require(try current(own).first)) == "website|https://example.org/x")
        #expect(try own.save("b", MessageCloud.complete(.website)) == "")
        await own.cloud.runDueJobs()
        #expect(try current(own).isEmpty)
        #expect(try own.save("b", MessageCloud.complete(.website), at: own.now) == "")
        await own.cloud.runDueJobs()
        #expect(try field("identifier", of: #require(try current(own).first)) == 2)
        #expect(try own.cloud.check() == [])
    }

    @Test("Targeted messages and other slots are left out; a picture is the message's own")
    func chosen() async throws {
        let own = try await cloud()
        #expect(try own.save("a", MessageCloud.complete(.information, ["audience": "mexico"]), at: own.now) == "")
        #expect(try own.save("b", MessageCloud.complete(.information, ["slot": "side"]), at: own.now) == "")
        await own.cloud.runDueJobs()
        #expect(try current(own).isEmpty)
        let label = ["imageLabel": #"{"en":"A pigeon","es":"Una paloma"}"#]
        #expect(try own.save("c", MessageCloud.complete(.purchase, label), picture: true) == "")
        await own.cloud.runDueJobs()
        let record = try #require(try current(own).first)
        let url = try #require(record["fields"]["image"]["value"]["downloadURL"].string)
        #expect(try String(decoding: own.file("GET", url), as: UTF8.self) == "a pigeon")
        #expect(field("imageLabel", of: record) == "en=A pigeon|es=Una paloma")
        #expect(field("type", of: record) == "purchase|pro" && field("version", of: record) == 0)
        #expect(try own.cloud.check() == [])
    }

    private func change(_ own: MessageCloud, _ operation: String, _ name: String, _ fields: String = "") throws {
        let body =
            #"{"operations":[{"operationType":"\#(operation)","record":{"recordName":"\#(name)","recordType":"Communs","fields":{\#(fields)}}}]}"#
        let answer = try own.database("records/modify", body, as: .friend)
        #expect(answer.status == 200 && !answer.text.contains("serverErrorCode"), "\(answer.text)")
    }

    @Test("Manual changes are repaired: a deletion, another title, or a second current message")
    func mended() async throws {
        let own = try await cloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        await own.cloud.runDueJobs()
        let record = try #require(try current(own).first)
        let name = try #require(record["recordName"].string)
        try change(own, "forceUpdate", name, #""title":{"value":"en=Another"}"#)
        try change(own, "create", "old", #""isCurrent":{"value":1},"identifier":{"value":40}"#)
        await own.cloud.runDueJobs()
        #expect(try current(own).map { field("title", of: $0) } == [field("title", of: record)])
        try change(own, "forceDelete", name)
        await own.cloud.runDueJobs()
        #expect(try current(own).map { field("title", of: $0) } == [field("title", of: record)])
        // A number is higher than any existing one.
        #expect(try own.save("b", MessageCloud.complete(), at: own.now + 1) != "")
        #expect(
            try own.save("a", MessageCloud.complete()) == ""
                && own.save("b", MessageCloud.complete(), at: own.now) == "")
        await own.cloud.runDueJobs()
        #expect(try current(own).map { field("identifier", of: $0) } == [41])
        #expect(try own.cloud.check() == [])
    }

    @Test("Numbers at the end of their range are ignored, and removing a mirror leaves nothing current")
    func ends() async throws {
        let own = try await cloud()
        try change(own, "create", "old", #""identifier":{"value":9223372036854775807}"#)
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        await own.cloud.runDueJobs()
        #expect(try current(own).map { field("identifier", of: $0) } == [1])
        try await own.set("messages", #"{"type":"Message","languages":["en","es"],"slots":["main","side"]}"#)
        await own.cloud.runDueJobs()
        #expect(try current(own).isEmpty)
        try await own.set(
            "messages", #"{"type":"Message","languages":["en","es"],"slots":["main","side"],"mirror":"Communs"}"#)
        await own.cloud.runDueJobs()
        #expect(try current(own).map { field("identifier", of: $0) } == [1])
    }

    @Test("A separator of packed texts is escaped even before a combining mark")
    func marks() throws {
        var json = try JSONReader(Array(#"{"en":"A|\u0301es=\u0301Evil"}"#.utf8)[...])
        let packed = PackedText.packed(try LocalizedText(&json, bytesMax: 100))
        #expect(packed.unicodeScalars.count { $0 == "|" } == 0 && packed.unicodeScalars.count { $0 == "=" } == 1)
    }

    @Test(
        "Packed texts are decoded correctly",
        arguments: [
            ("en=No Thanks|es=No, Gracias", #"{"en":"No Thanks","es":"No, Gracias"}"#),
            ("en=1+1=2", #"{"en":"1+1=2"}"#), ("en=this|that|es=eso", #"{"en":"this|that","es":"eso"}"#),
            ("en=a|en=b", #"{"en":"b"}"#), ("pt-BR=Oi", #"{"pt-BR":"Oi"}"#), ("en=|es=x", #"{"es":"x"}"#),
            ("Hello", nil), ("", nil), ("=x", nil),
        ])
    func packed(text: String, expected: String?) { #expect(PackedText.read(text) == expected) }
}
