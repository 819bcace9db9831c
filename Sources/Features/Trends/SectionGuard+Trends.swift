import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Has what is counted follow the settings at once: so what is counted from now on, and what is to be counted back, is known to the record.
    /// Types and fields that are not there are no failure: `trends show` says so, and they are counted when they come.
    static let trends = SectionGuard(
        of: Trends.name, fits: { _, _ throws(AdminError) in },
        check: { _ throws(AdminError) in },
        settle: { move throws(AdminError) in
            let adjust = AdjustTrackers()
            _ = try await move.administration.commit(to: move.store, adjust.reading, adjust.decide)
            // Metrics begin or end with the next run of the job.
            let now = move.administration.inputs.now()
            try await move.administration.commit(to: move.store, ReadSet()) { _ in
                var set = WriteSet()
                set.ask(for: Trends.name, at: now)
                return .write(set, ())
            }
        })
}
