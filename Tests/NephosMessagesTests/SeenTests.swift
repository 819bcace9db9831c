import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Seen messages".
@Suite("What a person has seen") struct SeenTests {
    private func cloud() async throws -> MessageCloud {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        return own
    }

    private func id(_ own: MessageCloud, _ query: String, as caller: SmallCloud.Caller = .app) throws -> String? {
        try own.current(query, as: caller)["id"].string
    }

    @Test(
        "A person who has seen a message does not see it again, and others do; reporting it again changes nothing (S2-18)"
    )
    func devices() async throws {
        let own = try await cloud()
        #expect(try id(own, "device=d1") == "a" && id(own, "device=d2") == "a")
        for _ in 0..<2 {
            let answer = try own.see(#"{"id":"a","device":"d1","event":"shown"}"#)
            #expect(answer.status == 200 && answer.text == "{}")
            own.now += 1_000
        }
        #expect(try id(own, "device=d1") == nil && id(own, "device=d2") == "a" && id(own, "") == "a")
        #expect(try own.rows(of: "a").count == 1)
        // Nobody can identify the device from a row.
        #expect(try own.rows(of: "a").allSatisfy { $0.seer.count == 17 && $0.seer[0] == 2 })
        #expect(try own.cloud.check() == [])
    }

    @Test("A person sees it once on all devices, counting what a device showed before they signed in (S2-18)")
    func people() async throws {
        let own = try await cloud()
        #expect(try own.see(#"{"id":"a","event":"dismissed","button":"okay"}"#, as: .person).status == 200)
        #expect(try id(own, "", as: .person) == nil && id(own, "device=new", as: .person) == nil)
        // Grace's phone has shown it; then she signs in there, and later on a tablet.
        _ = try own.see(#"{"id":"a","device":"phone"}"#)
        #expect(try id(own, "", as: .friend) == "a")
        #expect(try id(own, "device=phone", as: .friend) == nil)
        #expect(try id(own, "device=tablet", as: .friend) == nil)
        // One request assigns everything that the phone has shown to her.
        for name in ["b", "c"] {
            #expect(
                try own.save(
                    name,
                    MessageCloud.complete(.information, ["audience": "{\"app\":\">=0\(name == "b" ? "" : ".0")\"}"]),
                    at: own.now) == "")
            _ = try own.see(#"{"id":"\#(name)","device":"tablet"}"#)
        }
        _ = try own.current("device=tablet&version=2", as: .friend)
        for name in ["b", "c"] {
            #expect(try own.rows(of: Name(name)).count { !$0.isTakenOver } == 1 && own.rows(of: Name(name)).count == 2)
        }
        // The same request assigns what it has shown in another slot.
        #expect(try own.save("d", MessageCloud.complete(.information, ["slot": "side"]), at: own.now) == "")
        _ = try own.see(#"{"id":"d","device":"phone"}"#)
        _ = try own.current("device=phone", as: .friend)
        #expect(try id(own, "slot=side&device=new", as: .friend) == nil)
        // She counts once.
        #expect(try own.rows(of: "a").count == 3 && own.rows(of: "a").count { !$0.isTakenOver } == 2)
        #expect(try own.cloud.check() == [])
    }

    @Test("Withdrawn and published again it still counts as seen, and the first report of each event counts")
    func again() async throws {
        let own = try await cloud()
        let first = own.now
        _ = try own.see(#"{"id":"a","device":"d1"}"#)
        own.now += 1_000
        _ = try own.see(#"{"id":"a","device":"d1","event":"acted","button":"okay"}"#)
        own.now += 1_000
        _ = try own.see(#"{"id":"a","device":"d1","event":"acted","button":"cancel"}"#)
        #expect(try own.save("a", MessageCloud.complete()) == "")
        #expect(try id(own, "device=d2") == nil)
        // A late report is not lost.
        #expect(try own.see(#"{"id":"a","device":"d3"}"#).status == 200)
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        #expect(try id(own, "device=d1") == nil && id(own, "device=d3") == nil && id(own, "device=d2") == "a")
        let row = try #require(try own.rows(of: "a").first { $0.actedAt != 0 })
        #expect(row.shownAt == first && row.actedAt == first + 1_000 && row.dismissedAt == 0 && row.button == "okay")
    }

    @Test(
        "An invalid report is rejected, and nothing is stored",
        arguments: [
            ("{}", 400, "id is missing"), (#"{"id":"a"}"#, 400, "pass device"),
            (#"{"id":"a","device":"d","event":"liked"}"#, 400, "event must be shown, acted or dismissed"),
            (#"{"id":"a","device":"d","button":"other"}"#, 400, "button must be action, cancel or okay"),
            (#"{"id":"a","device":"d","when":1}"#, 400, "a report has id, device, event, button and round"),
            (#"{"id":"none","device":"d"}"#, 404, "there is no message 'none' that can be reported"),
            (#"{"id":"draft","device":"d"}"#, 404, "there is no message 'draft' that can be reported"),
            ("[", 400, ""),
        ])
    func wrong(body: String, status: Int, reason: String) async throws {
        let own = try await cloud()
        #expect(try own.save("draft", MessageCloud.complete()) == "")
        let answer = try own.see(body)
        #expect(answer.status == status && answer.text.contains(reason), "\(answer.status) \(answer.text)")
        #expect(answer.text.contains(status == 404 ? "NOT_FOUND" : "BAD_REQUEST"), "\(answer.text)")
        #expect(try own.rows(of: "a").isEmpty)
    }
}
