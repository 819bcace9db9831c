import NephosStorage

/// The table `jobs`. Each call is one round trip, a transaction of its own.
struct PostgresJobs: JobTable {
    let pool: ConnectionPool

    /// Whoever loses the connection does not know what became of it, and asks once more: all of these may be done twice.
    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        let calls = try Call.all(calls, .none)
        try pool.withConnectionRetrying { connection throws(StorageError) in try connection.run(calls) }.show(row)
    }
}
