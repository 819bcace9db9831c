import CloudKitWire
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "What is refused".
@Suite("Saving messages") struct SavingTests {
    @Test(
        "An invalid message is rejected, even as a draft, and nothing changes (S2-8)",
        arguments: [
            (["kind": "poster"], "kind: it must be one of information, website"),
            (["title": #"{"en":"a","en":"b"}"#], "title: "), (["title": #"{"xx_":"a"}"#], "is not a language"),
            (["title": "Hello"], "title: "), (["title": #"{"en":"  "}"#], "the text in en is empty"),
            (["title": "{}"], "there is no text in any language"),
            (["title": "{\"en\":\"\(String(repeating: "x", count: 501))\"}"], "has more than 500 bytes"),
            (["body": "{\"en\":\"\(String(repeating: "x", count: 500_000))\"}"], "body: it has more than"),
            (["buttons": #"{"action":{"en":"Go"}}"#], "a message of kind information has the buttons okay"),
            (["list": #"["a"]"#], "list: "), (["requires": "1..2"], "'1..2' is not a version such as 2.5"),
            (["url": "javascript:alert(1)"], "'javascript:alert(1)' is not a web address"),
            (["url": "https://"], "not a web address"), (["url": "https://["], "not a web address"),
            (["url": "https://%zz"], "not a web address"), (["url": "https://exa<b>mple"], "not a web address"),
            (["url": "https://."], "not a web address"), (["url": "https://a.b/%2"], "not a web address"),
            (["mailTo": "ada@example.org?bcc=all"], "'ada@example.org?bcc=all' is not a mail address"),
            (["mailTo": "ada"], "not a mail address"),
        ] as [([String: String], String)])
    func unreadable(fields: [String: String], reason: String) async throws {
        let own = try await MessageCloud()
        let refusal = try own.save("a", MessageCloud.complete(.information, fields))
        #expect(refusal.contains(reason), "\(refusal)")
        let look = try own.database("records/lookup", #"{"records":[{"recordName":"a"}]}"#, as: .friend)
        #expect(look.text.contains("NOT_FOUND"))
    }

    @Test(
        "An incomplete message can be a draft, but not be published (S2-29, S2-39)",
        arguments: [
            (.information, ["title": #"{"es":"a"}"#], "title: it is missing in en"),
            (.information, ["body": #"{"en":"a"}"#], "body: it is missing in es"),
            (.information, ["buttons": "{}"], "buttons: the button okay is missing in en"),
            (.newVersion, ["buttons": #"{"action":{"en":"a","es":"a"}}"#], "the button cancel is missing"),
            (.information, ["list": #"[{"en":"a","es":"a"},{"en":"a"}]"#], "list: entry 2 is missing in es"),
            (.information, ["audience": ""], "audience: it is missing: set it to everybody or to an audience"),
            (.information, ["audience": "nobody"], "there is no audience 'nobody'"),
            (.information, ["slot": "top"], "slot: it must be one of the settings' slots: main, side"),
            (.website, ["url": nil], "url: a message of this kind needs it"),
            (.email, ["mailTo": nil], "mailTo: a message of this kind needs it"),
            (.purchase, ["product": nil], "product: a message of this kind needs it"),
            (.purchase, ["product": " "], "product: a message of this kind needs it"),
            (.newVersion, ["requires": nil], "requires: a message of this kind needs it"),
        ] as [(MessageKind, [String: String?], String)])
    func incomplete(kind: MessageKind, changes: [String: String?], reason: String) async throws {
        let own = try await MessageCloud()
        var fields = MessageCloud.complete(kind)
        for (name, value) in changes { fields[name] = value }
        #expect(try own.save("a", fields) == "")
        let refusal = try own.save("a", fields, at: own.now)
        #expect(refusal.contains(reason), "\(refusal)")
        #expect(try own.current()["id"].string == nil)
    }

    @Test("A kind that is not configured can be drafted, but not be published (S2-29)")
    func kinds() async throws {
        let own = try await MessageCloud(kinds: "[\"website\"]")
        #expect(try own.save("a", MessageCloud.complete(.website), at: own.now) == "")
        #expect(try own.save("b", MessageCloud.complete(.email)) == "")
        let refusal = try own.save("b", MessageCloud.complete(.email), at: own.now)
        #expect(refusal == "kind: email is not among the kinds of the settings: add it there first")
    }

    @Test("Messages of one slot and audience cannot overlap, whoever saves them; drafts conflict with nothing (S2-28)")
    func atMostOne() async throws {
        let own = try await MessageCloud()
        let hour: Int64 = 3_600_000
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, until: own.now + hour) == "")
        #expect(try own.save("b", MessageCloud.complete()) == "")
        let refusal = try own.save("b", MessageCloud.complete(), at: own.now + hour - 1)
        #expect(refusal.contains("overlaps another") && refusal.contains("Record 'a' conflicts with it"), "\(refusal)")
        #expect(try own.save("b", MessageCloud.complete(), at: own.now + hour) == "")
        let other = MessageCloud.complete(.information, ["audience": "mexico"])
        #expect(try own.save("c", other, at: own.now) == "")
        #expect(try own.cloud.check() == [])
    }

    @Test("A person who cannot write messages saves none")
    func strangers() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, as: .person) != "")
        #expect(try own.current()["id"].string == nil)
    }
}
