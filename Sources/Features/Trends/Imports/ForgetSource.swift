import NephosDomain
import NephosRunner
import NephosStorage

/// Removes the figures of a source in batches.
struct ForgetSource: Sendable {
    private static let rowsMax = 500
    private static let news = NewsRow.of([Trends.topic])

    let source: String
    let now: Milliseconds

    private var series: Scan<ImportSeriesRow> { ImportSeriesRow.of(source) }
    private var years: Scan<ImportYearRow> { ImportYearRow.of(source, limit: Self.rowsMax) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(series)
        set.ask(years)
        set.ask(Self.news)
        return set
    }

    /// Returns whether there are more.
    func decide(_ reading: Reading) -> Decision<Bool> {
        var set = WriteSet()
        for row in reading[years] { set.remove(row) }
        let isMore = reading[years].count == Self.rowsMax
        // Removed last, so that a source is listed as long as any of its rows exist.
        if !isMore { for row in reading[series] { set.remove(row) } }
        if !set.isEmpty { set.post(Trends.topic, replacing: reading[Self.news].first, at: now) }
        return .write(set, isMore)
    }
}

extension Administration {
    /// Removes all figures of a source.
    ///
    /// - Throws: ``AdminError/refused(_:)`` if there is no source of this name.
    func forgetSource(_ name: String, in tenant: Tenant) async throws(AdminError) {
        let store = try store(tenant)
        let known = try rows(ImportSeriesRow.all, of: store).bySource.map(\.name)
        guard known.contains(name) else {
            guard !known.isEmpty else {
                throw .refused("There are no figures from the source \(name), or from any other source, in \(tenant).")
            }
            let all = known.joined(separator: ", ")
            throw .refused("There are no figures from the source \(name) in \(tenant). There are figures from: \(all).")
        }
        let forget = ForgetSource(source: name, now: inputs.now())
        while try await commit(to: store, forget.reading, forget.decide) {}
    }
}
