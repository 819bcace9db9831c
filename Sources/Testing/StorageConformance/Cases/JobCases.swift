import CloudKitWire
import NephosStorage

/// docs/decisions/0019.
extension StorageCase {
    static let backgroundJobs: [StorageCase] = [
        aJobHasOneHolder, whatIsNotedMeanwhileIsDone, anEndedJobIsGone, heldJobs, waitingRows,
    ]

    /// A name unique to the case: jobs belong to the whole store.
    private static func newName() -> String { "job \(UInt64.random(in: .min ... .max))" }

    static let aJobHasOneHolder = StorageCase(
        "a due job has one holder among all engines, until its lease expires, and then another with its progress"
    ) { tenant in
        let jobs = tenant.engine.jobs
        let name = newName()
        let other = newName()
        let others = try tenant.secondEngine().engine.jobs
        let names = (0..<3).map { JobKey(name, of: "\($0)") }
        try jobs.note([names[0]: 30, names[1]: 10, names[2]: 20, JobKey(other, of: "0"): 5])
        func lease(_ jobs: any JobStore, _ holder: Int64, now: Milliseconds, limit: Int = 9) throws -> [String] {
            try jobs.lease(name, by: holder, until: now + 100, now: now, limit: limit).map(\.key.subject).sorted()
        }
        try expectEqual(try lease(jobs, 1, now: 9), [], "what is due before its time")
        try expectEqual(try lease(jobs, 1, now: 30, limit: 2), ["1", "2"], "the first two that are due")
        try expectEqual(try lease(others, 2, now: 30), ["0"], "what the first left")
        try expectEqual(try jobs.keep(names[1], by: 1, until: 500, progress: [7, 0, 255]), true, "a lease of its own")
        try expectEqual(try jobs.keep(names[0], by: 1, until: 500, progress: []), false, "a lease of another")
        try expectEqual(try lease(others, 2, now: 129), [], "what is leased by others and by itself")
        try expectEqual(try lease(others, 2, now: 130), ["0", "2"], "the jobs with expired leases")
        try expectEqual(
            try jobs.keep(names[2], by: 1, until: 500, progress: []), false, "a lease that another took over")
        let taken = try others.lease(name, by: 2, until: 900, now: 500, limit: 9).first { $0.key == names[1] }
        try expectEqual(taken?.progress, [7, 0, 255], "the progress of the first holder")
        try expectEqual(
            try jobs.lease(other, by: 1, until: 600, now: 500, limit: 9),
            [LeasedJob(key: JobKey(other, of: "0"), progress: [])], "a job of another name")
    }

    static let whatIsNotedMeanwhileIsDone = StorageCase(
        "a job is due at the earliest requested time; a request during its run causes another run"
    ) { tenant in
        let jobs = tenant.engine.jobs
        let name = newName()
        let key = JobKey(name, of: TestTenant.container)
        try jobs.note([key: 50])
        try jobs.note([key: 70])
        try expectEqual(try jobs.lease(name, by: 1, until: 200, now: 50, limit: 9).count, 1, "the job")
        try jobs.end(key, by: 1, next: 1_000, progress: [1])
        try expectEqual(try jobs.lease(name, by: 1, until: 200, now: 999, limit: 9), [], "the earlier request")
        try expectEqual(
            try jobs.lease(name, by: 1, until: 2_000, now: 1_000, limit: 9), [LeasedJob(key: key, progress: [1])],
            "the next run")
        try jobs.note([key: 1_500])
        try jobs.note([key: 1_400])
        try jobs.end(key, by: 2, next: 9_000, progress: [2])
        try jobs.end(key, by: 1, next: 5_000, progress: [])
        try expectEqual(try jobs.lease(name, by: 2, until: 2_000, now: 1_399, limit: 9), [], "the job too early")
        try expectEqual(
            try jobs.lease(name, by: 2, until: 2_000, now: 1_400, limit: 9), [LeasedJob(key: key, progress: [])],
            "the request during the run")
        try jobs.note([key: 8_000])
        try jobs.end(key, by: 2, next: 3_000, progress: [])
        try expectEqual(try jobs.lease(name, by: 2, until: 4_000, now: 3_000, limit: 9).count, 1, "the earlier")
    }

    static let anEndedJobIsGone = StorageCase(
        "a finished job is removed, unless it was requested meanwhile"
    ) { tenant in
        let jobs = tenant.engine.jobs
        let name = newName()
        let key = JobKey(name, of: TestTenant.container)
        try jobs.note([key: 1])
        _ = try jobs.lease(name, by: 1, until: 100, now: 1, limit: 1)
        try jobs.note([key: 60])
        try jobs.end(key, by: 1, next: nil, progress: [])
        try expectEqual(try jobs.lease(name, by: 1, until: 100, now: 60, limit: 1).count, 1, "the request")
        try jobs.end(key, by: 1, next: nil, progress: [])
        try expectEqual(try jobs.lease(name, by: 1, until: 200, now: .max - 1, limit: 1), [], "a finished job")
        try expectEqual(try jobs.keep(key, by: 1, until: 300, progress: []), false, "a lease of a finished job")
    }

    static let heldJobs = StorageCase(
        "a job created with a lease belongs to its holder until that expires, and can be created again"
    ) { tenant in
        let jobs = tenant.engine.jobs
        let name = newName()
        let key = JobKey(name, of: TestTenant.container)
        try jobs.hold(key, by: 1, until: 100)
        try expectEqual(try jobs.lease(name, by: 2, until: 300, now: 99, limit: 1), [], "a job that is held")
        try expectEqual(try jobs.keep(key, by: 1, until: 200, progress: []), true, "the holder's lease")
        try expectEqual(try jobs.lease(name, by: 2, until: 300, now: 200, limit: 1).count, 1, "an expired lease")
        try jobs.hold(key, by: 1, until: 400)
        try expectEqual(try jobs.keep(key, by: 2, until: 500, progress: []), false, "a lease that the holder renewed")
        try jobs.end(key, by: 1, next: nil, progress: [])
        try expectEqual(try jobs.lease(name, by: 2, until: 900, now: 800, limit: 1), [], "a finished job")
    }

    static let waitingRows = StorageCase(
        "an engine reports remaining background work: deleted zones, tombstones, the trash, files and indexes"
    ) { tenant in
        let database = tenant.publicDatabase
        try expectEqual(try tenant.store.waitingRows(), WaitingRows(), "the work in a new container")
        let zone = database.defaultZone
        try await zone.save("a")
        try await zone.save("b")
        try expectEqual(try tenant.store.waitingRows(), WaitingRows(), "the work after saving")
        try await zone.delete("a")
        let tombstone = try unwrap(try tenant.store.waitingRows().tombstone, "a tombstone")
        try await zone.delete("b")
        try expectEqual(try tenant.store.waitingRows().tombstone, tombstone, "the oldest tombstone")
        try await tenant.store.openIndexes([IndexShape(type: 1, parts: [.value(.recordName)])], in: 1, at: 1)
        while try await tenant.store.buildIndexes(in: 1, rows: 10) {}
        try expectEqual(try tenant.store.waitingRows().hasUnfinishedIndexes, false, "an unfinished index")
    }
}
