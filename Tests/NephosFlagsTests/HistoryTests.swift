import NephosAdmin
import NephosFlags
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "History".
@Suite("The history of flags") struct HistoryTests {
    private func lines(_ own: FlagCloud, _ id: String = "a") async throws -> [[String]] {
        let told = try await own.run("history", "CONTAINER", id)
        #expect(told.failure == nil, "\(told)")
        return told.output.split(separator: "\n").dropFirst().map { $0.split(separator: " | ").map(String.init) }
    }

    @Test("Every change of a flag is a version with its time and author: a person, a key or an operator")
    func versions() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a", state: "off")])
        own.cloud.inputs.now += 60_000
        _ = try own.save([FlagCloud.boolean("a")])
        // A save without changes creates no version.
        _ = try own.save([FlagCloud.boolean("a")])
        let lines = try await lines(own)
        #expect(
            lines.map { $0.prefix(3).joined(separator: " ") } == [
                "2 2026-01-01T00:01:00Z on", "1 2026-01-01T00:00:00Z off",
            ])
        #expect(lines.allSatisfy { $0.last?.hasPrefix("_") == true })
        _ = try own.save([FlagCloud.boolean("k")], as: .key)
        try await own.run("off", "CONTAINER", "k", by: "grace")
        let others = try await self.lines(own, "k")
        #expect(others[0].last == "grace by command" && others[1].last?.hasPrefix("key ") == true, "\(others)")
        #expect(
            try await own.run("history", "CONTAINER", "b").failure?.contains("Flag b has no history") == true)
    }

    @Test("A person who leaves is removed from the history; the versions of their flags stay, and other authors too")
    func leaves() async throws {
        let own = try await FlagCloud()
        for state in ["off", "on"] { _ = try own.save([FlagCloud.boolean("a", state: state)]) }
        _ = try own.save([FlagCloud.boolean("b")], as: .friend)
        let account = try #require(try own.cloud.engine.account(email: "ada@example.org"))
        let user = try #require(try own.store.rows(UserRow.from([(.account, account.id)])).first)
        let worker = Worker(Runner(engine: own.cloud.engine), clock: { [inputs = own.cloud.inputs] in inputs.now })
        // If a process dies in between, another one repeats it.
        for _ in 0..<2 { try await Feature.flags.leaving(LeavingPerson(user: user, store: own.store, worker: worker)) }
        let (theirs, others) = (try await lines(own), try await lines(own, "b"))
        #expect(theirs.map { $0[2] } == ["on", "off"])
        #expect(theirs.allSatisfy { $0.last == "somebody who has left" }, "\(theirs)")
        #expect(others.count == 1 && others[0].last?.hasPrefix("_") == true, "\(others)")
        #expect(try own.cloud.check() == [])
    }

    @Test("A deletion is in the history, and going back restores the flag")
    func deleted() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a")])
        let target = "/database/1/\(SmallCloud.container)/development/public/records/modify"
        let body = #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"a"}}]}"#
        _ = try own.ask("POST", target, body, as: .person)
        #expect(try await lines(own).map { $0[2] } == ["deleted", "on"])
        #expect(try await own.run("revert", "CONTAINER", "a", "2").failure?.contains("was deleted") == true)
        #expect(try await own.run("revert", "CONTAINER", "a", "9").failure?.hasPrefix("No version 9") == true)
        #expect(try await own.run("revert", "CONTAINER", "a", "1").notes.contains("exists again"))
        #expect(try own.evaluate("a").json["value"].bool == true)
        #expect(try await lines(own).first?.last == "ada by command")
        // After a restoration from the trash, too.
        _ = try own.ask("POST", target, body, as: .person)
        #expect(try await own.run("revert", "CONTAINER", "a", "1").failure == nil)
        #expect(try own.cloud.check() == [])
    }

    @Test("A reset of the environment is in the history: each flag is removed, with the cause")
    func reset() async throws {
        let own = try await FlagCloud()
        _ = try await own.cloud.administration.deploySchema(of: SmallCloud.container)
        _ = try own.save([FlagCloud.boolean("a")])
        try await own.cloud.administration.resetDevelopment(of: SmallCloud.container) { _, _ in }
        let lines = try await lines(own)
        #expect(lines[0][2] == "deleted" && lines[0].last == "reset of the environment", "\(lines)")
        #expect(try await own.run("revert", "CONTAINER", "a", "1").failure == nil)
        #expect(try own.evaluate("a").json["value"].bool == true)
        #expect(try own.cloud.check() == [])
    }

    @Test("A flag is restored to an earlier version completely, and the result is another version")
    func reverted() async throws {
        let own = try await FlagCloud()
        let rules = #"[{"when":{"locale":"es"},"serve":"off"}]"#
        _ = try own.save([FlagCloud.boolean("a", ["rules": rules, "displayName": "A"])])
        _ = try own.save([FlagCloud.boolean("a", state: "off", ["rules": "[]", "displayName": "B"])])
        #expect(try await own.run("revert", "CONTAINER", "a", "1").failure == nil)
        #expect(try own.evaluate("a", #"{"locale":"es"}"#).json["reason"].string == "TARGETING_MATCH")
        #expect(try await lines(own).map { $0[0] } == ["3", "2", "1"])
        #expect(try await own.run("revert", "CONTAINER", "a", "1").notes.contains("is already as in version"))
        #expect(try await own.run("history", "CONTAINER", "a", "--output", "json").output.contains(#""version":3,"#))
    }

    @Test("The last 200 versions are kept: the oldest is dropped when one is added")
    func bounded() async throws {
        let own = try await FlagCloud()
        for number in 1...203 { _ = try own.save([FlagCloud.boolean("a", ["displayName": "\(number)"])]) }
        let kept = try await lines(own).map { $0[0] }
        #expect(kept.count == 200 && kept.first == "203" && kept.last == "4")
        #expect(try own.cloud.check() == [])
    }

    @Test("The history of a record that settings turned into a flag begins with its state before")
    func before() async throws {
        let own = try await FlagCloud()
        try await own.set(["flags": #"{"type":"Other"}"#])
        _ = try own.save([FlagCloud.boolean("a", state: "off")])
        try await own.set(["flags": #"{"type":"FeatureFlag"}"#])
        own.cloud.inputs.now += 60_000
        _ = try own.save([FlagCloud.boolean("a")])
        #expect(
            try await lines(own).map { $0.prefix(3).joined(separator: " ") } == [
                "2 2026-01-01T00:01:00Z on", "1 2026-01-01T00:00:00Z off",
            ])
    }
}
