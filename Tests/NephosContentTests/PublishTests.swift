import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, "Publishing".
@Suite("Publishing over HTTP") struct PublishTests {
    @Test("A person who can write a record publishes, moves and withdraws it")
    func published() async throws {
        let own = try await ContentCloud()
        #expect(try own.save("a", ContentCloud.published(at: nil)) == "")
        let (start, end) = (SmallCloud.now + 1_000, SmallCloud.now + 2_000)
        let answer = try own.publish(#"{"recordName":"a","publishedAt":\#(start),"until":\#(end)}"#, as: .friend)
        #expect(answer.status == 200)
        #expect(answer.text == #"{"recordName":"a","publishedAt":\#(start),"until":\#(end)}"#)
        #expect(try own.query(as: .app) == [])
        own.now = start
        #expect(try own.query(as: .app) == ["a"])
        // From now on, without an end.
        own.now = end + 5
        #expect(try own.query(as: .app) == [])
        #expect(
            try own.publish(#"{"recordName":"a"}"#, as: .friend).text
                == #"{"recordName":"a","publishedAt":\#(end + 5)}"#)
        #expect(try own.query(as: .app) == ["a"])
        #expect(try own.publish(#"{"recordName":"a","publishedAt":null}"#, as: .friend).text == #"{"recordName":"a"}"#)
        #expect(try own.query(as: .app) == [])
    }

    @Test("A fraction of a millisecond is dropped from the times of a publication")
    func fraction() async throws {
        let own = try await ContentCloud()
        #expect(try own.save("a", ContentCloud.published(at: nil)) == "")
        let (start, end) = (SmallCloud.now + 1_000, SmallCloud.now + 2_000)
        let answer = try own.publish(#"{"recordName":"a","publishedAt":\#(start).987,"until":\#(end).5}"#, as: .friend)
        #expect(answer.text == #"{"recordName":"a","publishedAt":\#(start),"until":\#(end)}"#, "\(answer.text)")
        own.now = start
        #expect(try own.query(as: .app) == ["a"])
    }

    @Test("Times and audience are published together, all or nothing")
    func audience() async throws {
        let picks = try await PickCloud()
        try picks.save([.init(name: "a", start: nil)])
        let answer = try picks.own.publish(#"{"recordName":"a","audience":"spanish"}"#, as: .friend)
        #expect(
            answer.text == #"{"recordName":"a","publishedAt":\#(picks.own.now),"audience":"spanish"}"#, "\(answer.text)"
        )
        try await picks.sort()
        #expect(try picks.names("list", "locale=de") == [] && picks.names("list", "locale=es") == ["a"])
        let wrong = try picks.own.publish(
            #"{"recordName":"a","publishedAt":\#(picks.own.now + 5),"audience":"nobody"}"#, as: .friend)
        #expect(wrong.status == 400 && wrong.text.contains("there is no audience 'nobody'"), "\(wrong.text)")
        #expect(try picks.own.lookUp("a", as: .app) == "")
        #expect(try picks.own.publish(#"{"recordName":"a","audience":null}"#, as: .friend).status == 200)
        try await picks.sort()
        #expect(try picks.names("list", "locale=de") == ["a"])
        let none = try await ContentCloud()
        #expect(try none.save("a", ContentCloud.published(at: nil)) == "")
        let refused = try none.publish(#"{"recordName":"a","audience":"spanish"}"#, as: .friend)
        #expect(refused.status == 400 && refused.text.contains("has no field for audience"), "\(refused.text)")
    }

    @Test("A person who cannot write it is rejected, and learns nothing of hidden records (S0-63)")
    func refused() async throws {
        let own = try await ContentCloud()
        #expect(try own.save("hidden", ContentCloud.published(at: nil)) == "")
        #expect(try own.save("shown", ContentCloud.published(at: SmallCloud.now)) == "")
        func code(_ name: String, _ caller: SmallCloud.Caller) throws -> String {
            let answer = try own.publish(#"{"recordName":"\#(name)"}"#, as: caller)
            let json = try JSON(reading: answer.body)
            // The names differ, and nothing else may.
            let reason = (json["reason"].string ?? "").replacing("'\(name)'", with: "it")
            return "\(answer.status) \(json["serverErrorCode"].string ?? "") \(reason)"
        }
        for caller in [SmallCloud.Caller.person, .key] {
            #expect(try code("shown", caller).hasPrefix("403 ACCESS_DENIED"))
            #expect(try code("hidden", caller) == code("absent", caller))
        }
        for caller in [SmallCloud.Caller.stranger, .app] {
            #expect(try code("shown", caller).hasPrefix("401") || code("shown", caller).hasPrefix("421"))
            #expect(try code("shown", caller) == code("absent", caller))
        }
        #expect(try code("absent", .friend).contains("NOT_FOUND"))
        #expect(try own.query(as: .app) == ["shown"])
    }

    @Test(
        "An invalid publication is rejected with the reason",
        arguments: [
            ("{}", "Chibi", "recordName is missing"),
            (#"{"recordName":"a","publishedAt":5,"until":5}"#, "Chibi", "until must be after publishedAt"),
            (#"{"recordName":"a","from":5}"#, "Chibi", "a publication has recordName, publishedAt, until and audience"),
            (#"{"recordName":"a","publishedAt":"soon"}"#, "Chibi", "publishedAt: expected milliseconds since 1970"),
            (#"{"recordName":"a","until":true}"#, "Chibi", "until: expected milliseconds since 1970"),
            ("[", "Chibi", ""),
            (#"{"recordName":"n1"}"#, "Note", "Note is not content"),
            (#"{"recordName":"a"}"#, "Nope", "did not find record type: Nope"),
        ])
    func wrong(body: String, type: String, reason: String) async throws {
        let own = try await ContentCloud()
        #expect(try own.save("a", ContentCloud.published(at: nil)) == "")
        let answer = try own.publish(body, as: .friend, type: type)
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        #expect(try own.query(as: .app) == [])
    }
}
