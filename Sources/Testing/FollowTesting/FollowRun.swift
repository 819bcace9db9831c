import NephosTesting
import Synchronization

/// Devices that follow each other through random changes, while their connections are cut and the server is killed
/// (docs/decisions/0006). A seed reproduces changes, cuts and restarts at the same places; the scheduling of devices is not
/// reproducible.
package struct FollowRun: Sendable {
    package var changes = 300
    /// Number of times that a device's connection is cut.
    package var cuts = 5
    /// Number of times that the server is killed.
    package var restarts = 1
    package var seed = 1

    package init() {}

    /// - Parameter progress: Called with a line after each tenth.
    /// - Throws: Errors of the setup, and ``UnexpectedAnswer`` for an unexpected answer.
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
                    // The others continue, and the report contains the fault.
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
            var fresh = Copy(of: person, in: world)
            try fresh.fetchAll(world.client(person, nil), journal)
            report.faults += fresh.replica.differences(from: model).map { "the server: \($0)" }
        }
        let check = try world.cloud.server.command.run(["check"])
        if check.status != 0 { report.faults.append("nephos check: \(check.output)\(check.errors)") }
        let seconds = (ContinuousClock.now - started).components.seconds
        report.summary =
            "\(journal.changes) changes, \(cuts) cuts, \(restarts) restarts in \(seconds) s; SEED=\(seed) repeats the run."
        return report
    }

    /// Two devices of one user and one of another, each with another way of following, which the seed determines.
    private func followers(_ world: World, _ journal: Journal) -> [Follower] {
        let ways = Follower.Way.allCases
        return [("ada-1", 0), ("ada-2", 0), ("bob-1", 1)].enumerated().map { index, device in
            Follower(device.0, of: device.1, ways[(index + seed) % ways.count], world, journal)
        }
    }

    /// Deliveries leased by a killed server are available again when the lease ends, within 20 s.
    private static func waitForAll(_ followers: [Follower], _ models: [Replica]) {
        _ = Deadline().waits {
            followers.allSatisfy { follower in
                follower.fault.withLock { $0 != nil }
                    || follower.copy.withLock { $0.replica == models[follower.person] }
            }
        }
    }
}
