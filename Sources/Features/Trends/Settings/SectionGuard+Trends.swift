import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Has counting follow the settings immediately, so that the exact record from which something is counted is known. Missing
    /// types and fields are not an error: `trends show` reports them, and they are counted once they exist.
    static let trends = SectionGuard(
        of: Trends.name,
        settle: { move throws(AdminError) in
            let adjust = AdjustTrackers()
            _ = try await move.administration.commit(to: move.store, adjust.reading, adjust.decide)
            // Metrics begin or end with the next run of the job, and pages show the new settings now.
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
