import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/people.md, "Deleting an account".
@Suite("Messages and departing people") struct LeavingTests {
    private func leave(_ email: String, _ own: MessageCloud) async throws {
        let store = try #require(try own.cloud.engine.open(SmallCloud.tenant))
        let account = try #require(try own.cloud.engine.account(email: email))
        let user = try #require(try store.rows(UserRow.from([(.account, account.id)])).first)
        let worker = Worker(Runner(engine: own.cloud.engine), clock: { [inputs = own.cloud.inputs] in inputs.now })
        // If a process dies in between, another one repeats it.
        for _ in 0..<2 { try await Feature.messages.leaving(LeavingPerson(user: user, store: store, worker: worker)) }
    }

    @Test("What a departing person has seen and written is removed; what others have stays")
    func leaves() async throws {
        let own = try await MessageCloud()
        // Grace edits.
        for (id, slot) in [("a", "main"), ("b", "side")] {
            for priority in 1...2 {
                let fields = MessageCloud.complete(.information, ["slot": slot])
                #expect(try own.save(id, fields, at: own.now, priority: priority) == "")
            }
        }
        for caller in [SmallCloud.Caller.person, .friend] {
            for id in ["a", "b"] { #expect(try own.see(#"{"id":"\#(id)"}"#, as: caller).status == 200) }
        }
        func seen() throws -> Int { try own.rows(of: "a").count + own.rows(of: "b").count }
        func versions() throws -> Int {
            let store = try #require(try own.cloud.engine.open(SmallCloud.tenant))
            return try store.rows(Scan<MessageVersion>(limit: 100)).count
        }
        let before = try versions()
        #expect(try seen() == 4 && before > 0)
        try await leave("ada@example.org", own)
        #expect(try seen() == 2 && versions() == before)
        try await leave("grace@example.org", own)
        #expect(try seen() == 0 && versions() == 0)
        #expect(try own.cloud.check() == [])
    }
}
