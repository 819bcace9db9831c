import NephosRunner
import NephosStorage
import Synchronization
import TestEngines
import Testing

/// docs/decisions/0019, by a clock that a test advances.
@Suite("Background work of several servers") final class JobsTests: Sendable {
    private let engine = EmptyEngine()
    private let now = Mutex<Milliseconds>(1_000)
    private let steps = Mutex<[String]>([])
    private let ended = Mutex<[Jobs.Outcome]>([])

    /// A server with one job, which has five steps; the last one reports the end.
    ///
    /// - Parameter before: Called before each step.
    private func server(
        _ name: String, before: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) -> Jobs {
        let job = Job("count") { [self] run in
            for step in Int(run.progress.first ?? 1)...5 {
                try await before(step)
                try await run.keep([UInt8(step)])
                steps.withLock { $0.append("\(name)\(step)") }
                move(by: 1_000)
            }
            return .finished
        }
        return Jobs(
            [job], worker: Worker(Runner(engine: engine), clock: { [self] in now.withLock { $0 } }), lease: 30_000,
            observer: { [self] _, outcome, _ in ended.withLock { $0.append(outcome) } })
    }

    private func move(by time: Milliseconds) { now.withLock { $0 += time } }

    /// Runs what is due on the server "a"; its third step takes as long as `body`.
    private func duringTheThirdStep(_ body: (Jobs) async throws -> Void) async throws {
        let (third, reach) = AsyncStream.makeStream(of: Void.self)
        let (end, goOn) = AsyncStream.makeStream(of: Void.self)
        let first = server("a") { step in
            guard step == 3 else { return }
            reach.yield()
            for await _ in end { break }
        }
        async let running: Void = first.runDue()
        for await _ in third { break }
        try await body(first)
        goOn.yield()
        await running
    }

    private func note(at time: Milliseconds = 0) throws { try engine.jobs.note([JobKey("count"): time]) }

    @Test("When a server dies, another takes over its job after the lease ends, from where it stopped")
    func death() async throws {
        try note()
        // A dead server ends nothing.
        let first = server("a") { step in if step == 4 { throw LeaseLost() } }
        await first.runDue()
        #expect(steps.withLock { $0 } == ["a1", "a2", "a3"])
        let second = server("b")
        move(by: 20_000)
        await second.runDue()
        #expect(steps.withLock { $0.count } == 3, "the lease holds")
        move(by: 10_000)
        await second.runDue()
        // The last recorded step may have been done or not.
        #expect(steps.withLock { $0 } == ["a1", "a2", "a3", "b3", "b4", "b5"])
        await server("c").runDue()
        #expect(steps.withLock { $0.count } == 6, "it is over")
    }

    @Test("A server that was suspended longer than its lease finds its job taken, and leaves it")
    func lost() async throws {
        try note()
        try await duringTheThirdStep { _ in
            move(by: 31_000)
            await server("b").runDue()
        }
        #expect(steps.withLock { $0 } == ["a1", "a2", "b2", "b3", "b4", "b5"])
        #expect(ended.withLock { $0 } == [.done, .lost])
    }

    @Test("A step that takes longer than a lease keeps its job, as long as its server runs")
    func longStep() async throws {
        try note()
        try await duringTheThirdStep { first in
            for _ in 0..<4 {
                move(by: 20_000)
                try await first.prolong()
                await server("b").runDue()
            }
        }
        #expect(steps.withLock { $0 } == ["a1", "a2", "a3", "a4", "a5"])
        #expect(ended.withLock { $0 } == [.done])
    }

    @Test("A stopping server returns its job, and another continues immediately")
    func stopped() async throws {
        try note()
        let (third, reach) = AsyncStream.makeStream(of: Void.self)
        let first = server("a") { step in
            guard step == 3 else { return }
            reach.yield()
            try await Task.sleep(for: .seconds(3_600))
        }
        let running = Task { await first.runDue() }
        for await _ in third { break }
        running.cancel()
        await running.value
        await server("b").runDue()
        #expect(steps.withLock { $0 } == ["a1", "a2", "b2", "b3", "b4", "b5"])
    }

    @Test(
        "A failed step is retried in a minute, from where it stopped",
        // A container that was deleted in the meantime does not end work on the whole store.
        arguments: [StorageError.failed("once"), .noSuchTenant])
    func failed(_ failure: StorageError) async throws {
        try note()
        let hasFailed = Mutex(false)
        let jobs = server("a") { step in
            if step == 3, !hasFailed.withLock({ $0 }) {
                hasFailed.withLock { $0 = true }
                throw failure
            }
        }
        await jobs.runDue()
        move(by: 59_000)
        await jobs.runDue()
        #expect(steps.withLock { $0 } == ["a1", "a2"])
        move(by: 1_000)
        await jobs.runDue()
        #expect(steps.withLock { $0 } == ["a1", "a2", "a2", "a3", "a4", "a5"])
        #expect(ended.withLock { $0 } == [.failed, .done])
    }

    @Test("A tenant is due some time after a write, and not again until the next save")
    func written() async throws {
        let tenant = Tenant(container: "iCloud.test", environment: .production)
        let engine = EmptyEngine(stores: [tenant: UpkeepStore(tenant, chunks: 1)])
        let runner = Runner(engine: engine)
        let runs = Mutex<[Milliseconds]>([])
        let job = Job("count", dueAfterWriting: 5_000) { run, store in
            runs.withLock { $0.append(run.now) }
            #expect(store.tenant == tenant)
            return .finished
        }
        let jobs = Jobs([job], worker: Worker(runner, clock: { [self] in now.withLock { $0 } }))
        func save(_ writes: WriteSet) async throws {
            try await runner.commit(ReadSet(), to: try runner.open(tenant)) { _ in .write(writes, ()) }
            await jobs.runDue()
        }
        try await save(WriteSet())
        move(by: 5_000)
        await jobs.runDue()
        #expect(runs.withLock { $0 } == [], "nothing was written")
        var writes = WriteSet()
        writes.put(CredentialUseRow(key: CredentialKey(.token, [1]), day: 1))
        try await save(writes)
        #expect(runs.withLock { $0 } == [], "it is too early")
        move(by: 5_000)
        await jobs.runDue()
        move(by: 500_000)
        await jobs.runDue()
        #expect(runs.withLock { $0 } == [11_000])
    }

    @Test(
        "Work requested by a write is done at its time, even if the write has no row, and once more after maintenance")
    func asked() async throws {
        let tenant = Tenant(container: "iCloud.test", environment: .production)
        let runner = Runner(engine: EmptyEngine(stores: [tenant: UpkeepStore(tenant, chunks: 1)]))
        let runs = Mutex<[String]>([])
        func job(_ name: String, _ delay: Milliseconds?) -> Job {
            Job(name, dueAfterWriting: delay) { run, _ in
                runs.withLock { $0.append("\(name) \(run.now)") }
                return .finished
            }
        }
        let jobs = Jobs(
            [job("asked", nil), job("unasked", nil), job(Job.upkeep, 60_000)],
            worker: Worker(runner, clock: { [self] in now.withLock { $0 } }))
        try await runner.commit(ReadSet(), to: try runner.open(tenant)) { _ in
            var writes = WriteSet()
            writes.ask(for: "asked", at: 9_000)
            writes.ask(for: "asked", at: 4_000)
            return .write(writes, ())
        }
        await jobs.runDue()
        #expect(runs.withLock { $0 } == [], "it is too early")
        move(by: 3_000)
        await jobs.runDue()
        #expect(runs.withLock { $0 } == ["asked 4000"])
        // Maintenance also examines everything that a process may not have noted because it died.
        move(by: 60_000)
        await jobs.runDue()
        #expect(runs.withLock { Set($0.dropFirst()) } == ["upkeep 64000", "asked 64000", "unasked 64000"])
    }

    @Test("A request is not lost while a server renews its own job")
    func takenAnew() async throws {
        let tenant = Tenant(container: "iCloud.test", environment: .production)
        let engine = EmptyEngine(stores: [tenant: UpkeepStore(tenant, chunks: 1)])
        let runs = Mutex(0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (end, goOn) = AsyncStream.makeStream(of: Void.self)
        let job = Job("count", dueAfterWriting: 5_000) { _, _ in
            runs.withLock { $0 += 1 }
            guard runs.withLock({ $0 }) == 1 else { return .finished }
            begin.yield()
            for await _ in end { break }
            return .finished
        }
        let jobs = Jobs(
            [job], worker: Worker(Runner(engine: engine), clock: { [self] in now.withLock { $0 } }), lease: 30_000)
        let key = JobKey("count", of: tenant)
        try engine.jobs.note([key: 0])
        async let running: Void = jobs.runDue()
        for await _ in begun { break }
        // Its lease is over, no server has taken the job, and it is requested once more.
        move(by: 31_000)
        try engine.jobs.note([key: 1])
        await jobs.runDue()
        goOn.yield()
        await running
        #expect(runs.withLock { $0 } == 2)
    }

    @Test("A deleted tenant ends its job; one that is recreated under its name does not")
    func madeAnew() async throws {
        let tenant = Tenant(container: "iCloud.test", environment: .production)
        for isThere in [false, true] {
            let engine = EmptyEngine(stores: isThere ? [tenant: UpkeepStore(tenant, chunks: 1)] : [:])
            let runs = Mutex(0)
            let job = Job("count", dueAfterWriting: 5_000) { _, _ in
                // Because of the resources that the server had open.
                if runs.withLock({
                    $0 += 1; return $0
                }) == 1 {
                    throw StorageError.noSuchTenant
                }
                return .finished
            }
            try engine.jobs.note([JobKey("count", of: tenant): 0])
            let jobs = Jobs([job], worker: Worker(Runner(engine: engine), clock: { [self] in now.withLock { $0 } }))
            await jobs.runDue()
            move(by: 60_000)
            await jobs.runDue()
            #expect(runs.withLock { $0 } == (isThere ? 2 : 0))
        }
    }

    @Test("However many servers died, all of their tenants are visited once")
    func manyDeaths() async throws {
        let looks = Mutex<[JobKey]>([])
        let jobs = Jobs(
            [], worker: Worker(Runner(engine: engine), clock: { [self] in now.withLock { $0 } }), lease: 30_000,
            observer: { key, outcome, _ in
                #expect(outcome == .done)
                looks.withLock { $0.append(key) }
            })
        for server in Int64(1)...300 {
            try engine.jobs.hold(JobKey("survey", of: "\(server)"), by: server, until: 500)
        }
        await jobs.runDue()
        #expect(looks.withLock { $0.map(\.name) } == ["survey"])
        move(by: 1_000_000)
        #expect(try engine.jobs.lease("survey", by: 301, until: 2_000_000, now: 1_500_000, limit: 1_000).isEmpty)
    }

    @Test("A failure of the job store is reported once, and again after it has worked")
    func failingStore() async throws {
        let store = try #require(engine.jobs as? MemoryJobs)
        let jobs = Jobs(
            [], worker: Worker(Runner(engine: engine)),
            observer: { [self] key, outcome, _ in
                #expect(key.name == "survey")
                ended.withLock { $0.append(outcome) }
            })
        for isDown in [true, true, false, true] {
            store.isDown.withLock { $0 = isDown }
            await jobs.runDue()
        }
        #expect(ended.withLock { $0 } == [.failed, .failed])
    }
}
