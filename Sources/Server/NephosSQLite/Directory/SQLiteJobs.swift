import NephosStorage
import Synchronization

/// The table `jobs` of `nephos.sqlite`, over its own connection, so that look-ups of containers never wait for it.
///
/// Commits here may be lost on power loss, which ends the server too; and the next server begins by visiting all tenants. So
/// no call waits for the disk.
final class SQLiteJobs: JobTable {
    private let open: Mutex<Connection?>

    init(_ directory: DataDirectory) throws(StorageError) {
        open = Mutex(try Connection(path: directory.directoryFile, access: .write, settings: Tuning.jobs))
    }

    func close() { open.withLock { $0 = nil } }

    /// Ends all leases: a folder has one server at a time, so their holders do not run any more.
    func endLeases() throws(StorageError) {
        try whileOpen { connection throws(StorageError) in
            try connection.execute("UPDATE jobs SET holder = 0, leased_to = 0 WHERE leased_to <> 0")
        }
    }

    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileOpen { connection throws(StorageError) in
            try connection.transaction { connection throws(StorageError) in try connection.run(calls, row) }
        }
    }

    /// Called every second for each kind of job, so that preparing the statement would be most of what an idle server does.
    /// Usually nothing is due, and no transaction is needed to find that out.
    func hasDue(_ name: String, now: Milliseconds) throws(StorageError) -> Bool {
        try whileOpen { connection throws(StorageError) in
            var cursor = try connection.start(Self.due)
            cursor.bind(name)
            cursor.bind(now)
            return try cursor.next()
        }
    }

    private static let due = Statement(
        "SELECT 1 FROM jobs INDEXED BY jobs_by_due WHERE name = ?1 AND due_at <= ?2 AND leased_to <= ?2 LIMIT 1")

    private func whileOpen<Answer: Sendable>(
        _ body: (Connection) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try open.withLock { connection throws(StorageError) in
            guard let connection else { throw .closed }
            return try body(connection)
        }
    }
}
