import NephosTesting
import Synchronization
import Testing

/// Several servers on one PostgreSQL database: docs/decisions/0005, docs/scaling.md.
@Suite(.serialized) struct ClusterTests {
    /// Acknowledged writes, which must be stored.
    private final class Ledger: Sendable {
        private let values = Mutex<[String: Int64]>([:])
        /// A request without a response may have taken effect.
        private let uncertain = Mutex<Set<String>>([])

        func acknowledge(_ name: String, _ value: Int64?) { values.withLock { $0[name] = value } }
        func doubt(_ name: String) { uncertain.withLock { _ = $0.insert(name) } }

        func faults(_ actual: [String: Int64]) -> [String] {
            let (expected, open) = (values.withLock { $0 }, uncertain.withLock { $0 })
            let names = Set(expected.keys).union(actual.keys).subtracting(open)
            return names.filter { expected[$0] != actual[$0] }.sorted().map {
                "\($0): acknowledged \(expected[$0].map { "\($0)" } ?? "nothing"), is \(actual[$0].map { "\($0)" } ?? "nothing")"
            }
        }

        var count: Int { values.withLock { $0.count } }
    }

    /// Saves and deletes its own records until it is stopped.
    private static func write(
        _ fleet: Fleet, number: Int, _ ledger: Ledger, rounds: Int = .max, while mayGoOn: () -> Bool
    ) throws {
        var visitor = Visitor(fleet, from: number)
        var dice = SeededGenerator(seed: UInt64(number))
        var round = 0
        while round < rounds, mayGoOn() {
            round += 1
            let name = "w\(number)-\(Int.random(in: 0..<40, using: &dice))"
            let value: Int64? = dice.once(in: 5) ? nil : Int64(round)
            let record: JSON = [
                "recordName": .string(name), "recordType": value == nil ? .absent : "Item",
                "fields": value.map { ["n": ["value": .int($0)]] } ?? .absent,
            ]
            let body: JSON = [
                "zoneID": ["zoneName": .string(Fleet.zone)],
                "operations": [
                    ["operationType": value == nil ? "forceDelete" : "forceUpdate", "record": record]
                ],
            ]
            guard let answer = try visitor.ask("records/modify", body, while: mayGoOn) else {
                return ledger.doubt(name)
            }
            let code = answer["records"][0]["serverErrorCode"].string
            guard code == nil || (value == nil && code == "NOT_FOUND") else {
                throw UnexpectedAnswer(description: "records/modify: \(answer)")
            }
            ledger.acknowledge(name, value)
        }
    }

    // docs/decisions/0005: commit order is sequence order, whoever commits.
    @Test("Sixteen writers in three servers: a reader of the feed misses no change")
    func order() throws {
        let fleet = try Fleet(3)
        let ledger = Ledger()
        let writing = Mutex(16)
        try inThreads(17) { number in
            if number < 16 {
                defer { writing.withLock { $0 -= 1 } }
                return try Self.write(fleet, number: number, ledger, rounds: 60) { true }
            }
            var follower = Follower(fleet)
            while writing.withLock({ $0 }) > 0 { _ = try follower.catchUp { true } }
            _ = try follower.catchUp { true }
            #expect(ledger.faults(follower.values) == [])
            var fresh = Follower(fleet)
            _ = try fresh.catchUp { true }
            #expect(fresh.values == follower.values)
        }
        #expect(ledger.count > 100)
    }

    // docs/protocol.md, "Servers on PostgreSQL"
    @Test("Servers are killed and PostgreSQL is restarted: nothing acknowledged is lost, no token skips")
    func chaos() throws {
        let fleet = try Fleet(3)
        let ledger = Ledger()
        let end = Deadline(seconds: Options.chaosSeconds)
        let isCalm = Mutex(false)
        let writing = Mutex(8)
        let mayGoOn: @Sendable () -> Bool = { !isCalm.withLock { $0 } }
        try inThreads(10) { number in
            switch number {
            case 0:
                defer { isCalm.withLock { $0 = true } }
                try Self.harass(fleet, until: end)
            case 1:
                var follower = Follower(fleet)
                while mayGoOn() || writing.withLock({ $0 }) > 0 { _ = try follower.catchUp(while: mayGoOn) }
                // The servers are running again: the end of the feed must be reached.
                let patience = Deadline()
                #expect(try follower.catchUp { !patience.hasPassed })
                var fresh = Follower(fleet)
                #expect(try fresh.catchUp { !patience.hasPassed })
                #expect(ledger.faults(fresh.values) == [])
                #expect(follower.values == fresh.values)
            default:
                defer { writing.withLock { $0 -= 1 } }
                try Self.write(fleet, number: number, ledger, while: mayGoOn)
            }
        }
        #expect(ledger.count > 20)
        let check = try fleet.servers[0].command.run(["check"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    /// Kills one server after the other, and restarts PostgreSQL twice, once as after a crash.
    private static func harass(_ fleet: Fleet, until end: Deadline) throws {
        var round = 0
        while !end.hasPassed {
            let server = fleet.servers[round % fleet.servers.count]
            try server.kill()
            if round == 1 || round == 3 {
                try fleet.postgres.stop(mode: round == 1 ? "fast" : "immediate")
                try fleet.postgres.start()
            }
            try server.start()
            round += 1
            let pause = Deadline(seconds: min(5, Options.chaosSeconds / 6))
            _ = pause.waits { end.hasPassed }
        }
    }
}
