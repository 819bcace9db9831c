import CloudKit
import Foundation

/// One refresh.
struct TrendsRun: Sendable {
    let trackers: [TrendsTracker]
    /// Nil for the one in use, or this device's if nothing is stored yet.
    let timeZone: TimeZone?
    let records: PublicRecords
    let keeper: Keeper
    let tuning: TrendsTuning
    /// A request can have at least 200 changes; a tracker and its years are saved together.
    private static let changesOfBatch = 100

    func refresh() async -> TrendsRefresh {
        var kept: KeptCounts?
        var states: [TrendsRefresh.State] = []
        var common: TrendsProblem?
        for tracker in trackers {
            let problem: TrendsProblem?
            if let common { problem = common } else { problem = await counted(tracker, &kept) }
            // If the counts cannot be stored, or the service is unreachable, the problem applies to all trackers.
            if let problem, problem.concernsAll || kept == nil && problem.kind != .busy { common = problem }
            states.append(TrendsRefresh.State(tracker: tracker, problem: problem))
        }
        return TrendsRefresh(date: tuning.now(), states: states, figures: kept.map(figures))
    }

    func figures(_ kept: KeptCounts) -> TrendsFigures {
        TrendsFigures(
            zone: zone(kept).identifier,
            series: trackers.map { (kept.state(of: $0) ?? TrackerState($0, zone: "")).series })
    }

    func zone(_ kept: KeptCounts) -> TimeZone {
        timeZone ?? kept.timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// Counts one tracker, and begins again if another device has saved in the meantime: from that device's counts, so that nothing
    /// is counted twice.
    ///
    /// - Returns: Why it was not counted; nil if it was.
    private func counted(_ tracker: TrendsTracker, _ kept: inout KeptCounts?) async -> TrendsProblem? {
        for _ in 0..<tuning.triesMax {
            do throws(CountingFault) {
                var counts: KeptCounts
                if let kept { counts = kept } else { counts = try await prepared() }
                kept = counts
                try await count(tracker, &counts)
                kept = counts
                return nil
            } catch {
                guard case .problem(let problem) = error else {
                    kept = nil
                    continue
                }
                return problem
            }
        }
        return TrendsProblem(.busy, "other devices are counting \(tracker.name) too", "refresh again later")
    }

    /// The stored counts, with a record for each tracker: its storage time provides the service's time before anything is read.
    private func prepared() async throws(CountingFault) -> KeptCounts {
        var kept = try await keeper.load()
        let zone = zone(kept).identifier
        var changes = KeptCounts.Changes()
        for tracker in trackers {
            var state = kept.state(of: tracker) ?? TrackerState(tracker, zone: zone)
            if state.saved != nil, state.zone == zone || tracker.list != nil { continue }
            // Days of another time zone are not comparable.
            if state.zone != zone { state.beginAgain(in: zone) }
            changes.add(kept.changes(to: state))
            guard changes.count > Self.changesOfBatch else { continue }
            try await save(changes, &kept)
            changes = KeptCounts.Changes()
        }
        try await save(changes, &kept)
        return kept
    }

    func save(_ changes: KeptCounts.Changes, _ kept: inout KeptCounts) async throws(CountingFault) {
        guard changes.count > 0 else { return }
        kept.add(try await keeper.save(changes.save, deleting: changes.delete))
        kept.remove(changes.delete)
    }
}
