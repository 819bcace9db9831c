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
            // Metrics begin or end with the next run of the job, and pages show what is shown now.
            let now = move.administration.inputs.now()
            let news = NewsRow.of([Trends.topic])
            var reading = ReadSet()
            reading.databases = [Trends.database]
            reading.ask(news)
            try await move.administration.commit(to: move.store, reading) { reading in
                var set = WriteSet()
                set.ask(for: Trends.name, at: now)
                set.post(Trends.topic, replacing: reading[news].first, at: now)
                return .write(set, ())
            }
        })
}
