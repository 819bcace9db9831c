import CloudKitWire
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/decisions/0027: a hidden record is hidden at every entry point, from everyone who may not write it.
@Suite("Records that appear and end") struct VisibilityTests {
    private typealias Cloud = RuleCloud
    private static let hour: Milliseconds = 3_600_000

    /// A cloud with a post of Ada's that appears in an hour and ends in two, and one that is visible.
    private func cloud() async throws -> RuleCloud {
        let own = try await RuleCloud()
        let now = SmallCloud.now
        #expect(
            try own.modify([
                Cloud.post("later", opens: now + Self.hour, ends: now + 2 * Self.hour), Cloud.post("now", opens: now),
                Cloud.record("Post", "draft", #""ends":{"value":\#(now + Self.hour),"type":"TIMESTAMP"}"#),
            ]) == ["", "", ""])
        return own
    }

    /// The names that a caller finds by lookup and by query.
    private func seen(_ own: RuleCloud, as caller: SmallCloud.Caller) throws -> [String] {
        let body = #"{"records":[{"recordName":"draft"},{"recordName":"later"},{"recordName":"now"}]}"#
        let found = try own.ask("records/lookup", body, as: caller)["records"].elements
        let known = found.filter { $0["serverErrorCode"].string == nil }.compactMap { $0["recordName"].string }
        for record in found where record["serverErrorCode"].string != nil {
            #expect(record["serverErrorCode"].string == "NOT_FOUND")
        }
        let query = #"{"query":{"recordType":"Post","sortBy":[{"fieldName":"opens"}]}}"#
        let queried = try own.ask("records/query", query, as: caller)["records"].elements
        #expect(Set(queried.compactMap { $0["recordName"].string }) == Set(known))
        return known
    }

    @Test("Each is visible during its period, by look-up and query, and always to those who can write it")
    func times() async throws {
        let own = try await cloud()
        let strangers: [SmallCloud.Caller] = [.app, .friend, .key]
        for caller in strangers { #expect(try seen(own, as: caller) == ["now"]) }
        #expect(try seen(own, as: .person) == ["draft", "later", "now"])
        own.cloud.inputs.now = SmallCloud.now + Self.hour
        for caller in strangers { #expect(try seen(own, as: caller) == ["later", "now"]) }
        own.cloud.inputs.now = SmallCloud.now + 2 * Self.hour
        for caller in strangers { #expect(try seen(own, as: caller) == ["now"]) }
    }

    @Test("A page of a query is as long as requested, whatever is hidden in between")
    func pages() async throws {
        let own = try await cloud()
        let hidden = (0..<20).map { Cloud.post("h\($0)", opens: SmallCloud.now + Self.hour) }
        let shown = (0..<4).map { Cloud.post("s\($0)", opens: SmallCloud.now - Milliseconds($0)) }
        _ = try own.modify(hidden + shown)
        let query = #"{"resultsLimit":2,"query":{"recordType":"Post","sortBy":[{"fieldName":"opens"}]}"#
        var names: [String] = []
        var answer = try own.ask("records/query", query + "}", as: .friend)
        while true {
            names += answer["records"].elements.compactMap { $0["recordName"].string }
            guard let marker = answer["continuationMarker"].string else { break }
            #expect(answer["records"].elements.count == 2)
            answer = try own.ask("records/query", query + #","continuationMarker":"\#(marker)"}"#, as: .friend)
        }
        #expect(names == ["s3", "s2", "s1", "now", "s0"] || names == ["s3", "s2", "s1", "s0", "now"])
    }

    @Test("Changing, deleting or referencing a hidden record fails as for a missing one; only its name is taken")
    func others() async throws {
        let own = try await cloud()
        let (now, friend) = (SmallCloud.now, SmallCloud.Caller.friend)
        #expect(try own.modify([Cloud.post("later", opens: now)], as: friend) == ["EXISTS"])
        #expect(
            try own.modify([Cloud.delete("later")], as: friend) == own.modify([Cloud.delete("nothing")], as: friend))
        #expect(try own.modify([Cloud.post("now", opens: now)], as: friend) == ["ACCESS_DENIED"])
        #expect(try own.modify([Cloud.post("later", opens: now, "create")], as: friend) == ["EXISTS"])
        func naming(_ target: String) -> String {
            Cloud.record("Reply", "r", #""to":{"value":{"recordName":"\#(target)","action":"VALIDATE"}}"#)
        }
        let refused = try own.modify([naming("later")], as: friend)
        #expect(try refused == own.modify([naming("nothing")], as: friend) && refused != [""])
        #expect(try own.modify([naming("now")], as: friend) == [""])
        #expect(try own.cloud.check() == [])
    }
}
