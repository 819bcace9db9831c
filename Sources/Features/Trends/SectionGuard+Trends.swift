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
        })
}
