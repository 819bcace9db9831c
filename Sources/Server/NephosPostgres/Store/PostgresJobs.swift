import NephosStorage

/// The table `jobs`. Each call is one round trip, a transaction of its own.
struct PostgresJobs: JobStore {
    private let pool: ConnectionPool

    init(_ pool: ConnectionPool) { self.pool = pool }

    func note(_ jobs: [JobKey: Milliseconds]) throws(StorageError) {
        guard !jobs.isEmpty else { return }
        // In one order everywhere, so that no two processes wait for each other.
        let jobs = jobs.sorted { $0.key < $1.key }
        try run(Self.note) {
            $0.add(texts: jobs.map(\.key.name))
            $0.add(texts: jobs.map(\.key.subject))
            $0.add(numbers: jobs.map(\.value))
        }
    }

    func lease(
        _ name: String, by holder: Int64, until: Milliseconds, now: Milliseconds, limit: Int
    ) throws(StorageError) -> [LeasedJob] {
        let rows = try run(Self.lease) {
            $0.add(name)
            $0.add(holder)
            $0.add(until)
            $0.add(now)
            $0.add(Int64(limit))
        }
        return try rows.map { row throws(StorageError) in
            LeasedJob(key: JobKey(name, of: row.string(0)), progress: row.bytes(1))
        }
    }

    func hold(_ key: JobKey, by holder: Int64, until: Milliseconds) throws(StorageError) {
        try run(Self.hold) {
            $0.add(key)
            $0.add(holder)
            $0.add(until)
        }
    }

    func keep(
        _ key: JobKey, by holder: Int64, until: Milliseconds, progress: [UInt8]
    ) throws(StorageError) -> Bool {
        try run(Self.keep) {
            $0.add(key)
            $0.add(holder)
            $0.add(until)
            $0.add(bytes: progress)
        }.count > 0
    }

    func end(
        _ key: JobKey, by holder: Int64, next: Milliseconds?, progress: [UInt8]
    ) throws(StorageError) {
        try run(Self.end) {
            $0.add(key)
            $0.add(holder)
            $0.add(next ?? .max)
            $0.add(bytes: progress)
            $0.add(Int64(next == nil ? 1 : 0))
        }
    }

    /// Whoever loses the connection does not know what became of it, and asks once more: all of these may be done twice.
    @discardableResult
    private func run(_ statement: Statement, _ fill: (inout Values) -> Void) throws(StorageError) -> Rows {
        let call = Call(statement, fill)
        return try pool.withConnectionRetrying { connection throws(StorageError) in
            guard let rows = try connection.run([call]).first else { throw .failed("a statement has no answer") }
            return rows
        }
    }

    // MARK: Statements

    private static let note = Statement(
        """
        INSERT INTO jobs AS j (name, subject, due_at, again_at)
        SELECT name, subject, due, due FROM unnest($1::text[], $2::text[], $3::bigint[]) AS noted (name, subject, due)
        ON CONFLICT (name, subject) DO UPDATE SET
            due_at = least(j.due_at, excluded.due_at), again_at = least(j.again_at, excluded.again_at)
        """)
    private static let lease = Statement(
        """
        UPDATE jobs AS j SET holder = $2, leased_to = $3, again_at = NULL FROM (
            SELECT subject FROM jobs WHERE name = $1 AND due_at <= $4 AND leased_to <= $4
            ORDER BY due_at, subject LIMIT $5 FOR UPDATE SKIP LOCKED
        ) AS due
        WHERE j.name = $1 AND j.subject = due.subject
        RETURNING j.subject, j.progress
        """)
    private static let hold = Statement(
        """
        INSERT INTO jobs (name, subject, due_at, holder, leased_to) VALUES ($1, $2, 0, $3, $4)
        ON CONFLICT (name, subject) DO UPDATE SET holder = excluded.holder, leased_to = excluded.leased_to
        """)
    private static let keep = Statement(
        "UPDATE jobs SET leased_to = $4, progress = $5 WHERE name = $1 AND subject = $2 AND holder = $3 RETURNING 1::bigint"
    )
    private static let end = Statement(
        """
        WITH over AS (
            DELETE FROM jobs WHERE name = $1 AND subject = $2 AND holder = $3 AND again_at IS NULL AND $6 = 1::bigint
            RETURNING 1
        )
        UPDATE jobs SET holder = 0, leased_to = 0, again_at = NULL, progress = $5, due_at = least(again_at, $4)
        WHERE name = $1 AND subject = $2 AND holder = $3 AND (again_at IS NOT NULL OR $6 <> 1::bigint)
        """)
}

extension Values {
    fileprivate mutating func add(_ key: JobKey) {
        add(key.name)
        add(key.subject)
    }
}
