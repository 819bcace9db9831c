import NephosStorage

/// The table `jobs`. Each call is one round trip and one transaction.
struct PostgresJobs: JobTable {
    let pool: ConnectionPool

    /// After a lost connection the outcome is not known, so the calls are repeated: all of them are safe to run twice.
    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        let calls = try Call.all(calls, .none)
        try pool.withConnectionRetrying { connection throws(StorageError) in try connection.run(calls) }.show(row)
    }
}
