import NephosRunner
import NephosStorage

/// Removes rows of spent things once they have expired.
enum ForgetSpent {
    static let job = "people-spent"
    /// The interval between runs.
    static let interval: Milliseconds = 3_600_000
    /// Rows are kept this long after they expire, because the clocks of servers differ.
    static let margin: Milliseconds = 3_600_000
    /// Rows per transaction.
    private static let most = 500

    static func job(_ worker: Worker) -> Job {
        Job(job) { run in
            let expired = SpentRow.expired(before: run.now - margin, limit: most)
            var set = ReadSet()
            set.ask(expired)
            let reading = set
            while try await worker.run({
                try worker.engine.directory.commit(reading) { reading in
                    var writes = WriteSet()
                    for row in reading[expired] { writes.remove(row) }
                    return .write(writes, reading[expired].count == most)
                }
            }) { try await run.keep() }
            return .again(at: run.now + interval)
        }
    }
}
