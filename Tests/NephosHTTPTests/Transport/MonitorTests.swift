import NIOHTTP1
import NephosRunner
import Synchronization
import Testing

@testable import NephosEndpoints

@Suite("Monitoring a server") struct MonitorTests {
    private typealias Job = @Sendable () throws -> Work

    /// Records callers' jobs, without any thread.
    private final class Askers: Sendable {
        let jobs = Mutex<[Job]>([])
        let statuses = Mutex<[Int]>([])

        func take(_ work: Work) {
            switch work {
            case .blocking(let job): jobs.withLock { $0.append(job) }
            case .answer(let answer): statuses.withLock { $0.append(answer.status) }
            case .later(let begin): begin { self.take($0) }
            case .parked, .stream, .file, .failed: Issue.record("no answer to /healthz")
            }
        }
    }

    @Test(
        "However many request /healthz at the same time, the engine is asked once, on one thread",
        arguments: [200, 503])
    func manyAskers(status: Int) throws {
        struct IsGone: Error {}
        let looks = Mutex(0)
        let monitor = Monitor(
            health: {
                looks.withLock { $0 += 1 }
                if status == 503 { throw IsGone() }
            }, healthWaits: true, metrics: { [] })
        let askers = Askers()
        for round in 1...2 {
            for _ in 0..<100 {
                let request = RawRequest(method: .get, target: "/healthz", arrivedAt: 0)
                askers.take(try #require(monitor.respond(to: request, "/healthz")))
            }
            #expect(looks.withLock { $0 } == round - 1)
            let jobs = askers.jobs.withLock { $0 }
            #expect(jobs.count == round)
            let job = try #require(jobs.last)
            askers.take(try job())
            #expect(looks.withLock { $0 } == round)
            #expect(askers.statuses.withLock { $0 } == [Int](repeating: status, count: 100 * round))
        }
    }
}
