import Foundation
import NephosTesting
import Testing

/// docs/decisions/0019: background work of a server that was killed while holding the lease is continued by another one, from its
/// last state, once.
@Suite("A server that is killed during a job", .serialized) struct JobTests {
    private static let records = 6_000
    private let fleet: Fleet

    init() throws {
        fleet = try Fleet(2, settings: ["NEPHOS_UPKEEP_SECONDS": "1", "NEPHOS_JOB_LEASE_SECONDS": "2"])
    }

    private func number(_ query: String) throws -> Int {
        try #require(Int(fleet.postgres.sql(query, in: fleet.store).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Locks a table for every server, from the moment at which a condition holds, while `body` runs.
    private func locking(_ table: String, once condition: String, _ body: () throws -> Void) throws {
        let ended = DispatchSemaphore(value: 0)
        let text = """
            BEGIN;
            DO $$ BEGIN
                WHILE NOT (\(condition)) LOOP PERFORM pg_sleep(0.001); END LOOP;
                LOCK TABLE nephos.\(table) IN ACCESS EXCLUSIVE MODE;
            END $$;
            SELECT pg_sleep(3600), 'locks \(table)';
            """
        Thread.detachNewThread { [fleet] in
            // Terminated from outside.
            _ = try? fleet.postgres.sql(text, in: fleet.store)
            ended.signal()
        }
        defer {
            _ = try? number(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%locks \(table)%' AND pid <> pg_backend_pid()"
            )
            ended.wait()
        }
        let isLocked = try Deadline().waits {
            try number(
                """
                SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock'
                    AND relation = 'nephos.\(table)'::regclass
                """) == 1
        }
        try #require(isLocked)
        try body()
    }

    /// Stops a server at a moment without a transaction, because its locks would be kept.
    private func stop(_ server: ServerProcess) throws {
        let isStopped = try Deadline().waits {
            try server.process.signal(SIGSTOP)
            let isOutside = try Deadline(seconds: 1).waits {
                try number(
                    """
                    SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
                    """) == 0
            }
            if !isOutside { try server.process.signal(SIGCONT) }
            return isOutside
        }
        try #require(isStopped)
    }

    /// Whether a server has begun a job with this name, and not ended it. Its lease may have expired: a machine can be slow.
    private func isHeld(_ name: String) throws -> Bool {
        try number("SELECT count(*) FROM nephos.jobs WHERE name = '\(name)' AND leased_to > 0") > 0
    }

    private var recordCount: Int { get throws { try number("SELECT count(*) FROM nephos.records") } }

    @Test("A due sweep: what the first server removed stays removed, and the second removes the rest")
    func due() throws {
        let (first, second) = (fleet.servers[0], fleet.servers[1])
        let others = try recordCount
        try makeBigZone()
        let before = try recordCount
        // So that the first one takes it.
        try stop(second)
        defer { try? second.process.signal(SIGCONT) }
        let body: JSON = [
            "operations": [["operationType": "delete", "zone": ["zoneID": ["zoneName": "Big"]]]]
        ]
        var left = 0
        let condition = "(SELECT count(*) FROM nephos.records) < \(before)"
        let deletion = Result { try fleet.client(0).post("zones/modify", .private, body).status }
        try locking("heads", once: condition) {
            left = try recordCount
            #expect(left > others, "it was all over before anything could be locked")
            #expect(try isHeld("upkeep"))
            try first.kill()
            // Of the lease whose holder is gone.
            #expect(try recordCount == left)
        }
        #expect(try deletion.get() == 200)
        #expect(try recordCount == left, "nobody goes on while the lease holds and the second server stands still")
        try second.process.signal(SIGCONT)
        #expect(try Deadline().waits { try recordCount == others && !isHeld("upkeep") })
        let check = try second.command.run(["check"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "The recurring scan of the whole store: the second server takes it over, and it recurs"
    )
    func interval() throws {
        let (first, second) = (fleet.servers[0], fleet.servers[1])
        // Some server has scanned it once, after its start.
        let hasBegun = try Deadline().waits {
            try number(
                """
                SELECT count(*) FROM nephos.jobs
                    WHERE name = 'leftovers' AND leased_to = 0 AND due_at > extract(epoch FROM now()) * 1000
                """) == 1
        }
        #expect(hasBegun)
        let before = try runs(second)
        try stop(second)
        defer { try? second.process.signal(SIGCONT) }
        try locking("catalog", once: "true") {
            _ = try fleet.postgres.sql("UPDATE nephos.jobs SET due_at = 0 WHERE name = 'leftovers'", in: fleet.store)
            #expect(try Deadline().waits { try isHeld("leftovers") })
            try first.kill()
        }
        try second.process.signal(SIGCONT)
        let isDone = try Deadline().waits {
            try number("SELECT count(*) FROM nephos.jobs WHERE name = 'leftovers' AND leased_to = 0 AND due_at > 0")
                == 1
        }
        #expect(isDone)
        // A server counts a run right after it has noted its end.
        #expect(try Deadline().waits { try runs(second) > before })
        #expect(try runs(second) == before + 1)
    }

    /// The number of complete scans of a server.
    private func runs(_ server: ServerProcess) throws -> Int {
        let answer = try HTTPConnection(port: server.port).exchange(HTTPRequest("GET", "/metrics"))
        let row = #"nephos_jobs_total{job="leftovers",outcome="done"} "#
        let line = String(decoding: answer.body, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(row) }
        return line.flatMap { Int($0.dropFirst(row.count)) } ?? 0
    }

    private func makeBigZone() throws {
        let client = fleet.client(0)
        let zone: JSON = ["zoneID": ["zoneName": "Big"]]
        let made = try client.post(
            "zones/modify", .private, ["operations": [["operationType": "create", "zone": zone]]])
        try #require(made.status == 200)
        for start in stride(from: 0, to: Self.records, by: 200) {
            let operations = (start..<start + 200).map { number -> JSON in
                ["operationType": "create", "record": ["recordName": .string("r\(number)"), "recordType": "Item"]]
            }
            let answer = try client.post(
                "records/modify", .private, ["zoneID": ["zoneName": "Big"], "operations": .array(operations)])
            try #require(answer.status == 200)
        }
    }
}
