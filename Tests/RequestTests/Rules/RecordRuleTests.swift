import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/decisions/0027: what features add to the life of records, through the entry points of clients and operators.
@Suite("Rules about records") struct RecordRuleTests {
    private typealias Cloud = RuleCloud

    @Test("Every way to create, change or remove a record is counted, once")
    func counts() async throws {
        let own = try await RuleCloud()
        #expect(try own.modify([Cloud.coin("a", 1), Cloud.coin("b", 2), Cloud.coin("c", 3)]) == ["", "", ""])
        #expect(try own.modify([Cloud.coin("a", 2), Cloud.coin("b", 1)]) == ["", ""])
        #expect(try own.modify([Cloud.delete("c"), Cloud.delete("nothing")]) == ["", ""])
        #expect(try own.tally("Coin") == TallyRow(database: 1, type: "Coin", made: 3, changed: 2, removed: 1, sum: 3))
        _ = try await own.cloud.administration.restoreRecord(named: "c", in: SmallCloud.tenant)
        #expect(try own.tally("Coin") == TallyRow(database: 1, type: "Coin", made: 4, changed: 2, removed: 1, sum: 6))
        #expect(try own.isSound())
    }

    @Test("Cascaded deletions are counted with their contents")
    func cascades() async throws {
        let own = try await RuleCloud()
        let holder = #","next":{"value":{"recordName":"root","action":"DELETE_SELF"}}"#
        #expect(try own.modify([Cloud.coin("root", 1), Cloud.coin("leaf", 5, holder)]) == ["", ""])
        #expect(try own.modify([Cloud.delete("root")]) == [""])
        #expect(try own.tally("Coin") == TallyRow(database: 1, type: "Coin", made: 2, changed: 0, removed: 2, sum: 0))
        #expect(try own.isSound())
    }

    @Test("Deletions in the background are counted too")
    func laterCascades() async throws {
        let own = try await RuleCloud()
        let holder = #","next":{"value":{"recordName":"ghost","action":"DELETE_SELF"}}"#
        #expect(try own.modify([Cloud.coin("a", 2, holder), Cloud.coin("b", 5, holder)]) == ["", ""])
        let store = own.store
        // The state after a deletion that was too large to delete the referencing records immediately.
        let waiting = PendingCascadeRow(database: 1, zone: 1, target: "ghost", sequence: 1_000_000)
        var set = ReadSet()
        set.databases = [1]
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.heads = reading.databases.compactMap(\.self)
            writes.put(waiting)
            return .write(writes, ())
        }
        while let step = ContinueCascades(try store.rows(PendingCascadeRow.waiting(limit: 16)), now: SmallCloud.now) {
            try await store.commit(step.reading, decide: step.decide)
        }
        #expect(try own.tally("Coin") == TallyRow(database: 1, type: "Coin", made: 2, changed: 0, removed: 2, sum: 0))
        #expect(try own.isSound())
    }

    @Test("Users are counted when they are created, when their roles change, and when a reset recreates them")
    func users() async throws {
        let own = try await RuleCloud()
        // Ada, Grace and a key.
        #expect(try own.tally("Users") == TallyRow(database: 1, type: "Users", made: 3))
        let administration = own.cloud.administration
        _ = try await administration.assignRole(
            "Admin", to: "ada@example.org", in: SmallCloud.container, [.development])
        #expect(try own.tally("Users") == TallyRow(database: 1, type: "Users", made: 3, changed: 1))
        #expect(try own.isSound())
        try await administration.resetDevelopment(of: SmallCloud.container)
        #expect(try own.tally("Users") == TallyRow(database: 1, type: "Users", made: 6, changed: 1, removed: 3))
        #expect(try own.isSound())
    }

    @Test("Records of a deleted zone are counted when it is swept, by all rules or not yet")
    func sweeps() async throws {
        let own = try await RuleCloud()
        #expect(try own.modify([Cloud.coin("a", 1), Cloud.coin("b", 1)], "private", zone: "Notes") == ["", ""])
        #expect(try own.isSound())
        let records = try own.head(2).records
        try await own.keep([1], of: HeadTally.full)
        let zone = #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
        _ = try own.ask("zones/modify", zone, "private")
        #expect(try await !own.store.sweepDeadZones(rows: 9, at: SmallCloud.now))
        #expect(try own.head(2).annex["coins"] == [2, 0, 0] && own.head(2).records == records)
        try await own.keep([], of: HeadTally.full)
        while try await own.store.sweepDeadZones(rows: 1, at: SmallCloud.now) {}
        #expect(try own.head(2).annex["coins"] == [2, 0, 2] && own.head(2).records == records - 2)
        #expect(try own.cloud.check() == [])
    }

    @Test("A rejected record leaves others of a batch unaffected, or fails them if the batch is atomic")
    func refusals() async throws {
        let own = try await RuleCloud()
        let bad = Cloud.record("Coin", "bad", #""text":{"value":"refuse me"}"#)
        #expect(try own.modify([Cloud.coin("a", 1), bad]) == ["", "BAD_REQUEST"])
        #expect(try own.live("Coin") == 1)
        #expect(
            try own.modify([Cloud.coin("a", 1), bad], "private", zone: "Notes") == ["ATOMIC_ERROR", "BAD_REQUEST"])
        #expect(try own.store.rows(TallyRow.of(["Coin"], in: 2)).isEmpty)
        #expect(
            try own.modify([Cloud.coin("a", 1), bad], "private", zone: "Notes", atomic: false) == ["", "BAD_REQUEST"])
        #expect(try own.tally("Coin", in: 2).made == 1)
        let answer = try own.ask("records/modify", #"{"operations":[\#(bad)]}"#)
        #expect(answer["records"][0]["reason"].string == "it says so itself")
        #expect(try own.isSound())
    }

    @Test("A batch is judged by its result, not operation by operation")
    func swaps() async throws {
        let own = try await RuleCloud()
        #expect(try own.modify([Cloud.coin("a", 1), Cloud.coin("b", 5)]) == ["", ""])
        #expect(try own.modify([Cloud.coin("a", 5), Cloud.coin("b", 1)]) == ["", ""])
        #expect(try own.modify([Cloud.coin("a", 6), Cloud.coin("b", 1)]) == ["BAD_REQUEST", "BAD_REQUEST"])
        #expect(try own.tally("Coin").sum == 6)
    }

    @Test("An endpoint of a feature serves authenticated callers, and rejects others like every endpoint")
    func endpoint() async throws {
        let own = try await RuleCloud()
        #expect(try own.modify([Cloud.coin("a", 4)]) == [""])
        func ask(_ method: String, as caller: SmallCloud.Caller) throws -> (status: Int, text: String) {
            let target = "/nephos/1/\(SmallCloud.container)/development/tally/Coin"
            let outcome = own.cloud.responder.outcome(of: own.cloud.request(method, target, as: caller))
            guard case .answer(let answer) = outcome else { return (0, "") }
            return (answer.status, String(decoding: answer.body, as: UTF8.self))
        }
        #expect(try ask("GET", as: .app) == (200, #"{"made":1,"sum":4}"#))
        #expect(try ask("GET", as: .stranger).status == 401)
        #expect(try ask("POST", as: .app).status == 405)
    }
}
