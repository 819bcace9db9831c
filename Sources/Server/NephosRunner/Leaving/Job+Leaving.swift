import NephosStorage

extension Job {
    /// The maximum number of accounts per run. There are few: each waits a week, and most are gone at the first try.
    private static let most = 1_000

    /// Ends the sessions of accounts that are to be deleted, and deletes accounts that are due.
    static func leaving(_ erasure: AccountErasure) -> Job {
        Job(leaving) { run in
            var (next, failure): (Milliseconds?, (any Error)?)
            let rows = try await erasure.worker.run { [directory = erasure.worker.engine.directory] in
                try directory.rows(AccountDeletionRow.next(limit: most))
            }
            for row in rows {
                do {
                    let keep: @Sendable () async throws -> Void = { try await run.keep() }
                    if row.endedAt == 0 { try await AccountHomes(worker: erasure.worker).endSessions(row, keep: keep) }
                    if row.dueAt > run.now {
                        next = min(next ?? .max, row.dueAt)
                    } else if try await !erasure.run(row, keep: keep) {
                        next = min(next ?? .max, run.now + AccountErasure.pause)
                    }
                } catch let error as StorageError where error.isOfOneTenant {
                    // A failure of one does not delay the others.
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return next.map { .again(at: $0) } ?? .finished
        }
    }
}
