import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// Everything that is valid once: challenges, links, codes.
@Suite("Single-use secrets") struct SpentTests {
    private static func spend(_ once: OneTimeValue, _ directory: any DirectoryStore) throws -> Bool {
        try once.commit(to: directory) { reading in
            var writes = WriteSet()
            let isFirst = once.spend(reading, &writes)
            return .write(writes, isFirst)
        }
    }

    @Test(
        "A secret is spent once, whatever its expiry; the same bytes of another kind, and others of its kind, are separate"
    )
    func once() async throws {
        let own = try await PeopleCloud()
        let directory = own.cloud.engine.directory
        let thing = Array("a link".utf8)
        #expect(try Self.spend(OneTimeValue("link", thing, until: 1), directory))
        #expect(try !Self.spend(OneTimeValue("link", thing, until: 1), directory))
        #expect(try !Self.spend(OneTimeValue("link", thing, until: .max), directory))
        #expect(try Self.spend(OneTimeValue("code", thing, until: 1), directory))
        #expect(try Self.spend(OneTimeValue("link", thing + [0], until: 1), directory))
        // The kind is delimited.
        #expect(
            OneTimeValue("link", thing, until: 1).hash
                != OneTimeValue("lin", Array("k".utf8) + [0] + thing, until: 1).hash)
        #expect(try own.cloud.check() == [])
    }

    @Test("Of many concurrent attempts to spend it one succeeds")
    func race() async throws {
        let own = try await PeopleCloud()
        let directory = own.cloud.engine.directory
        for round in 0..<10 {
            let once = OneTimeValue("race", [UInt8(round)], until: 1)
            let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
                let threads = QueueThreads()
                for _ in 0..<8 { group.addTask { try await threads.run { try Self.spend(once, directory) } } }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.count == 8 && outcomes.count { $0 } == 1)
        }
    }

    @Test("What is written along with it is written once, and a failed decision spends nothing")
    func along() async throws {
        let own = try await PeopleCloud()
        let directory = own.cloud.engine.directory
        struct Refused: Error {}
        let once = OneTimeValue("link", [1], until: 1)
        #expect(throws: Refused.self) {
            try once.commit(to: directory) { reading -> Decision<Void> in
                var writes = WriteSet()
                _ = once.spend(reading, &writes)
                throw Refused()
            }
        }
        #expect(try Self.spend(once, directory))
    }

    @Test("Records are removed an hour after their expiry, however many there are")
    func forgotten() async throws {
        let own = try await PeopleCloud()
        let directory = own.cloud.engine.directory
        let end = own.now + 300_000
        let many = (0..<620).map { number -> OneTimeValue in
            let thing = Array("\(number)".utf8)
            return OneTimeValue("link", thing, until: number == 0 ? end + 1 : end)
        }
        var set = ReadSet()
        for once in many { once.ask(&set) }
        let firsts = try directory.commit(set) { reading in
            var writes = WriteSet()
            let firsts = many.count { $0.spend(reading, &writes) }
            return .write(writes, firsts)
        }
        #expect(firsts == many.count)
        func left() throws -> Int { try directory.rows(SpentRow.expired(before: .max, limit: 2_000)).count }
        own.now = end + ForgetSpent.margin
        try own.cloud.engine.jobs.note([JobKey(ForgetSpent.job): 0])
        await own.cloud.runDueJobs()
        #expect(try left() == many.count)
        own.now += max(1, ForgetSpent.interval)
        await own.cloud.runDueJobs()
        #expect(try left() == 0)
        #expect(try own.cloud.check() == [])
    }
}
