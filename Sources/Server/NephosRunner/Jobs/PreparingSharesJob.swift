import NephosDomain
import NephosStorage

extension Job {
    /// Marks what is below the roots of large shares (``PrepareShare``).
    package static func preparingShares(_ worker: Worker) -> Job {
        Job(PrepareShare.job, dueAfterWriting: nil) { run, store in
            let sharesMax = 1_000
            let shares = try await worker.rows(PrepareShare.waiting(limit: sharesMax), from: store)
            var failure: (any Error)?
            for share in shares {
                do {
                    var position: PrepareShare.Position? = PrepareShare.Position()
                    while let from = position {
                        let step = PrepareShare(share, from: from, now: run.now)
                        position = try await worker.runner.commit(step.reading, to: store, decide: step.decide)
                        try await run.keep()
                    }
                } catch {
                    // What fails for one share does not keep the others waiting.
                    failure = error
                    try await run.keep()
                }
            }
            if let failure { throw failure }
            return shares.count == sharesMax ? .again(at: run.now) : .finished
        }
    }
}
