import NephosRunner
import NephosStorage

/// Removes expired browser sessions, links a day after they were sent, attempts an hour after the last, and codes of programs.
struct ForgetVisits: Sendable {
    /// Rows per transaction.
    private static let most = 200
    private static let interval: Milliseconds = 3_600_000

    private let worker: Worker

    init(_ host: FeatureHost) { worker = host.worker }

    var job: Job {
        Job(People.name) { run in
            try await forget(BrowserSessionRow.expired(before: run.now, limit: Self.most), run)
            try await forget(MailLinkRow.old(before: run.now - MailLinks.day, limit: Self.most), run)
            try await forget(AttemptRow.old(before: run.now - SignInWaits.countedFor, limit: Self.most), run)
            try await forget(DeviceCodeRow.old(before: run.now - DeviceCodeRow.lifetime, limit: Self.most), run)
            return .again(at: run.now + Self.interval)
        }
    }

    private func forget<Row: StoredRow>(_ scan: Scan<Row>, _ run: JobRun) async throws {
        var set = ReadSet()
        set.ask(scan)
        while true {
            let count = try await worker.run { [set] in
                try worker.engine.directory.commit(set) { reading -> Decision<Int> in
                    var writes = WriteSet()
                    for row in reading[scan] { writes.remove(row) }
                    return .write(writes, reading[scan].count)
                }
            }
            guard count == Self.most else { return }
            try await run.keep()
        }
    }
}
