/// The table `jobs`, whose rows every engine changes with the same statements, each call in one transaction
/// (docs/decisions/0019).
package protocol JobTable: JobStore, CallRunner {
    /// Whether a job of this name may be due, in engines where checking that is cheaper than ``run(_:_:)``.
    func hasDue(_ name: String, now: Milliseconds) throws(StorageError) -> Bool
}

extension JobTable {
    package func hasDue(_ name: String, now: Milliseconds) -> Bool { true }

    package func note(_ jobs: [JobKey: Milliseconds]) throws(StorageError) {
        guard !jobs.isEmpty else { return }
        // All processes write jobs in the same order, so that they do not wait for each other in a deadlock.
        let jobs = jobs.sorted { $0.key < $1.key }
        try run(jobs.map { Statements.note(.text($0.key.name), .text($0.key.subject), .int($0.value)) })
    }

    package func lease(
        _ name: String, by holder: Int64, until: Milliseconds, now: Milliseconds, limit: Int
    ) throws(StorageError) -> [LeasedJob] {
        guard try hasDue(name, now: now) else { return [] }
        var jobs: [(job: LeasedJob, due: Milliseconds)] = []
        let call = Statements.lease(.text(name), .int(holder), .int(until), .int(now), .int(Int64(limit)))
        try run([call]) { _, row in
            jobs.append((LeasedJob(key: JobKey(name, of: row.string(0)), progress: row.bytes(1)), row.int(2)))
        }
        return jobs.sorted { ($0.due, $0.job.key) < ($1.due, $1.job.key) }.map(\.job)
    }

    package func hold(_ key: JobKey, by holder: Int64, until: Milliseconds) throws(StorageError) {
        try run([Statements.hold(.text(key.name), .text(key.subject), .int(holder), .int(until))])
    }

    package func keep(
        _ key: JobKey, by holder: Int64, until: Milliseconds, progress: [UInt8]
    ) throws(StorageError) -> Bool {
        var isKept = false
        let call = Statements.keep(
            .text(key.name), .text(key.subject), .int(holder), .int(until), .bytes(progress))
        try run([call]) { _, _ in isKept = true }
        return isKept
    }

    package func end(
        _ key: JobKey, by holder: Int64, next: Milliseconds?, progress: [UInt8]
    ) throws(StorageError) {
        let removal = Statements.removal(.text(key.name), .text(key.subject), .int(holder))
        let end = Statements.end(
            .text(key.name), .text(key.subject), .int(holder), .int(next ?? .max), .bytes(progress))
        try run(next == nil ? [removal, end] : [end])
    }
}

private enum Statements {
    static let note = SharedStatement(
        """
        INSERT INTO jobs AS j (name, subject, due_at, again_at) VALUES ($1, $2, $3, $3)
        ON CONFLICT (name, subject) DO UPDATE SET
            due_at = CASE WHEN j.due_at < excluded.due_at THEN j.due_at ELSE excluded.due_at END,
            again_at = CASE WHEN j.again_at < excluded.again_at THEN j.again_at ELSE excluded.again_at END
        """)
    static let lease = SharedStatement(
        """
        UPDATE jobs AS j SET holder = $2, leased_to = $3, again_at = NULL FROM (
            SELECT subject AS due FROM jobs INDEXED BY jobs_by_due
            WHERE name = $1 AND due_at <= $4 AND leased_to <= $4 ORDER BY due_at, subject LIMIT $5 FOR UPDATE SKIP LOCKED
        ) AS found
        WHERE j.name = $1 AND j.subject = found.due
        RETURNING subject, progress, due_at
        """)
    static let hold = SharedStatement(
        """
        INSERT INTO jobs (name, subject, due_at, holder, leased_to) VALUES ($1, $2, 0, $3, $4)
        ON CONFLICT (name, subject) DO UPDATE SET holder = excluded.holder, leased_to = excluded.leased_to
        """)
    static let keep = SharedStatement(
        """
        UPDATE jobs SET leased_to = $4, progress = $5 WHERE name = $1 AND subject = $2 AND holder = $3
        RETURNING CAST(1 AS bigint)
        """)
    /// Removes a job that has ended, and was not noted again while it was leased.
    static let removal = SharedStatement(
        "DELETE FROM jobs WHERE name = $1 AND subject = $2 AND holder = $3 AND again_at IS NULL")
    static let end = SharedStatement(
        """
        UPDATE jobs SET holder = 0, leased_to = 0, again_at = NULL, progress = $5,
            due_at = CASE WHEN again_at < $4 THEN again_at ELSE $4 END
        WHERE name = $1 AND subject = $2 AND holder = $3
        """)
}
