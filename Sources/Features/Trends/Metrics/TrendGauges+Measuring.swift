import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension TrendGauges {
    /// Updates the metrics with the sums of a container whose settings ask for it, after they were added up.
    ///
    /// - Parameter now: The time.
    /// - Returns: When to run again.
    func measure(_ store: any TenantStore, by worker: Worker, now: Milliseconds) async throws -> Job.End {
        let catalog = try await worker.read(ReadSet(), from: store).catalog
        let settings: TrendSettings
        do throws(SectionFailure) { settings = try catalog.trends() } catch {
            set(nil, of: store.tenant)
            return .finished
        }
        guard settings.hasMetrics else {
            set(nil, of: store.tenant)
            return .finished
        }
        let types = settings.shown(false, in: catalog).compactMap { catalog.types[$0]?.row }.prefix(Self.typesMax)
        guard !types.isEmpty else {
            set([], of: store.tenant)
            return .finished
        }
        let scan = TrendSumRow.of(types.map { TrendSeries(type: $0.number) })
        let sums = try await worker.rows(scan, from: store)
        let counts = Dictionary(sums.map { ($0.series.type, $0.counts) }) { first, _ in first }
        set(
            types.map { type in
                let own = counts[type.number] ?? TrendCounts()
                return Figures(type: type.name.text, created: own.created, live: own.net)
            }, of: store.tenant)
        return .again(at: now + Self.renewedEvery)
    }
}
