import NephosDomain
import NephosStorage

extension Job {
    /// Notifies watchers of records that have appeared or ended (docs/decisions/0033).
    package static func dueEvents(_ worker: Worker) -> Job {
        Job(DueEvents.job, dueAfterWriting: nil, atOnce: 4) { run, store in
            while true {
                let due = try await worker.rows(DueEventRow.due(by: run.now, limit: DueEvents.limit), from: store)
                guard !due.isEmpty else { break }
                let events = DueEvents(due, now: run.now)
                _ = try await worker.runner.commit(events.reading, to: store, decide: events.decide)
                try await run.keep()
            }
            let next = try await worker.rows(DueEventRow.due(by: .max, limit: 1), from: store).first
            return next.map { .again(at: $0.at) } ?? .finished
        }
    }
}
