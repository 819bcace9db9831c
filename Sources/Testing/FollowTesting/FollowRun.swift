import NephosTesting
import Synchronization

/// Devices that follow each other through random changes, while their connections are cut and the server is killed
/// (docs/decisions/0006). A seed replays changes, cuts and restarts at the same places; when devices take their turns is the
/// machine's.
package struct FollowRun: Sendable {
    package var changes = 300
    /// How often a device loses its connection.
    package var cuts = 5
    /// How often the server is killed.
    package var restarts = 1
    package var seed = 1

    package init() {}

    /// - Parameter progress: Called with a line for each tenth.
    /// - Throws: What setting up throws, and ``Surprise`` for an answer that nobody should get.
    package func run(progress: @escaping @Sendable (String) -> Void = { _ in }) throws -> FollowReport {
        let started = ContinuousClock.now
        let (world, journal) = (try World(), Journal())
        let followers = followers(world, journal)
        let models = Mutex<[Replica]>([])
        try inThreads(followers.count + 1) { thread in
            guard thread == followers.count else {
                do {
                    return try followers[thread].run()
                } catch {
                    // The others go on, and the report tells.
                    return followers[thread].fault.withLock { $0 = "\(error)" }
                }
            }
            defer { journal.end() }
            var director = Director(self, world, followers, journal)
            try director.run(progress)
            models.withLock { $0 = director.models }
            Self.waitForAll(followers, director.models)
        }
        let expected = models.withLock { $0 }
        var report = FollowReport(followers, expected)
        for (person, model) in expected.enumerated() {
            var fresh = Copy()
            try fresh.fetchAll(world.client(person, nil), journal)
            report.faults += fresh.replica.differences(from: model).map { "the server: \($0)" }
        }
        let check = try world.cloud.server.command.run(["check"])
        if check.status != 0 { report.faults.append("nephos check: \(check.output)\(check.errors)") }
        let seconds = (ContinuousClock.now - started).components.seconds
        report.summary =
            "\(journal.changes) changes, \(cuts) cuts, \(restarts) restarts in \(seconds) s; SEED=\(seed) makes the same."
        return report
    }

    /// Two devices of one person and one of another, each in another way; which goes which way is the seed's.
    private func followers(_ world: World, _ journal: Journal) -> [Follower] {
        let ways = Follower.Way.allCases
        return [("ada-1", 0), ("ada-2", 0), ("bob-1", 1)].enumerated().map { index, device in
            Follower(device.0, of: device.1, ways[(index + seed) % ways.count], world, journal)
        }
    }

    /// What a server that was killed had in hand is handed out again when its lease ends, within 20 s.
    private static func waitForAll(_ followers: [Follower], _ models: [Replica]) {
        _ = Deadline(seconds: 90).waits {
            followers.allSatisfy { follower in
                follower.fault.withLock { $0 != nil }
                    || follower.copy.withLock { $0.replica == models[follower.person] }
            }
        }
    }
}
