import NephosStorage
import Synchronization

/// The table `jobs` of `nephos.sqlite`, by a connection of its own, so that who looks up a container never waits for it.
///
/// What is written here may be lost with the power, which ends the server too; and the next one begins by looking at all
/// tenants. So nothing waits for the disk.
final class SQLiteJobs: JobStore {
    private struct Open {
        let connection: Connection
        /// Asked every second: whether a job of a name is due.
        let isDue: Query
    }

    private let open: Mutex<Open?>

    init(_ directory: DataDirectory) throws(StorageError) {
        let connection = try Connection(path: directory.directoryFile, access: .write, settings: Tuning.jobs)
        let isDue = Query(
            connection,
            "SELECT 1 FROM jobs INDEXED BY jobs_by_due WHERE name = ? AND due_at <= ? AND leased_to <= ? LIMIT 1")
        open = Mutex(Open(connection: connection, isDue: isDue))
    }

    func close() { open.withLock { $0 = nil } }

    /// Ends all leases: a folder has one server at a time, so their holders are no more.
    func endLeases() throws(StorageError) {
        try write { connection throws(StorageError) in
            try connection.execute("UPDATE jobs SET holder = 0, leased_to = 0 WHERE leased_to <> 0")
        }
    }

    func note(_ jobs: [JobKey: Milliseconds]) throws(StorageError) {
        guard !jobs.isEmpty else { return }
        try write { connection throws(StorageError) in
            for (key, due) in jobs {
                var cursor = try connection.once(
                    """
                    INSERT INTO jobs (name, subject, due_at, again_at) VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO UPDATE SET
                        due_at = min(due_at, excluded.due_at),
                        again_at = min(coalesce(again_at, excluded.again_at), excluded.again_at)
                    """)
                cursor.bind(key)
                cursor.bind(due)
                try cursor.finish()
            }
        }
    }

    func lease(
        _ name: String, by holder: Int64, until: Milliseconds, now: Milliseconds, limit: Int
    ) throws(StorageError) -> [LeasedJob] {
        // Mostly there is nothing, and no transaction needed to find that out.
        guard try hasDue(name, now) else { return [] }
        return try write { connection throws(StorageError) in
            var cursor = try connection.once(
                """
                SELECT subject, progress FROM jobs INDEXED BY jobs_by_due
                WHERE name = ? AND due_at <= ? AND leased_to <= ? ORDER BY due_at, subject LIMIT ?
                """)
            cursor.bind(name)
            cursor.bind(now)
            cursor.bind(now)
            cursor.bind(Int64(limit))
            var jobs: [LeasedJob] = []
            while try cursor.next() {
                jobs.append(LeasedJob(key: JobKey(name, of: cursor.string(0)), progress: cursor.bytes(1)))
            }
            for job in jobs {
                var cursor = try connection.once(
                    "UPDATE jobs SET holder = ?3, leased_to = ?4, again_at = NULL WHERE name = ?1 AND subject = ?2")
                cursor.bind(job.key)
                cursor.bind(holder)
                cursor.bind(until)
                try cursor.finish()
            }
            return jobs
        }
    }

    private func hasDue(_ name: String, _ now: Milliseconds) throws(StorageError) -> Bool {
        try whileOpen { open throws(StorageError) in
            var cursor = try open.isDue.start()
            cursor.bind(name)
            cursor.bind(now)
            cursor.bind(now)
            return try cursor.next()
        }
    }

    func hold(_ key: JobKey, by holder: Int64, until: Milliseconds) throws(StorageError) {
        try write { connection throws(StorageError) in
            var cursor = try connection.once(
                """
                INSERT INTO jobs (name, subject, due_at, holder, leased_to) VALUES (?1, ?2, 0, ?3, ?4)
                ON CONFLICT DO UPDATE SET holder = excluded.holder, leased_to = excluded.leased_to
                """)
            cursor.bind(key)
            cursor.bind(holder)
            cursor.bind(until)
            try cursor.finish()
        }
    }

    func keep(
        _ key: JobKey, by holder: Int64, until: Milliseconds, progress: [UInt8]
    ) throws(StorageError) -> Bool {
        try write { connection throws(StorageError) in
            var cursor = try connection.once(
                """
                UPDATE jobs SET leased_to = ?4, progress = ?5 WHERE name = ?1 AND subject = ?2 AND holder = ?3
                """)
            cursor.bind(key)
            cursor.bind(holder)
            cursor.bind(until)
            cursor.bind(blob: progress)
            try cursor.finish()
            return connection.changes > 0
        }
    }

    func end(
        _ key: JobKey, by holder: Int64, next: Milliseconds?, progress: [UInt8]
    ) throws(StorageError) {
        try write { connection throws(StorageError) in
            if next == nil {
                var cursor = try connection.once(
                    "DELETE FROM jobs WHERE name = ?1 AND subject = ?2 AND holder = ?3 AND again_at IS NULL")
                cursor.bind(key)
                cursor.bind(holder)
                try cursor.finish()
            }
            var cursor = try connection.once(
                """
                UPDATE jobs SET holder = 0, leased_to = 0, again_at = NULL, progress = ?5,
                    due_at = min(coalesce(again_at, ?4), ?4)
                WHERE name = ?1 AND subject = ?2 AND holder = ?3
                """)
            cursor.bind(key)
            cursor.bind(holder)
            cursor.bind(next ?? .max)
            cursor.bind(blob: progress)
            try cursor.finish()
        }
    }

    // MARK: Transactions

    private func whileOpen<Answer: Sendable>(
        _ body: (Open) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try open.withLock { open throws(StorageError) in
            guard let open else { throw .closed }
            return try body(open)
        }
    }

    private func write<Answer: Sendable>(
        _ body: (Connection) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try whileOpen { open throws(StorageError) in try open.connection.transaction(body) }
    }
}

extension Cursor {
    fileprivate mutating func bind(_ key: JobKey) {
        bind(key.name)
        bind(key.subject)
    }
}
