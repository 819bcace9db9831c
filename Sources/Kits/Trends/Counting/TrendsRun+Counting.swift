import CloudKit
import Foundation

extension TrendsRun {
    /// Counts a tracker and stores the result.
    func count(_ tracker: TrendsTracker, _ kept: inout KeptCounts) async throws(CountingFault) {
        guard let state = kept.state(of: tracker) else { throw .outdated }
        let zone = zone(kept)
        switch tracker {
        case .type(let type): try await count(type, state, zone, &kept)
        case .list(let list): try await count(list, state, zone, &kept)
        }
    }

    private func count(
        _ type: CKRecord.RecordType, _ state: TrackerState, _ zone: TimeZone, _ kept: inout KeptCounts
    ) async throws(CountingFault) {
        let began = ContinuousClock.now
        var tally = CreationTally(state, zone: zone, overlap: tuning.overlap)
        var pages = records.created(type, since: tally.from, keys: [])
        var number = 0
        while let page = try await read(state.tracker, { () async throws in try await pages.next() }) {
            tally.add(page.compactMap(\.creationDate))
            number += 1
            guard number.isMultiple(of: tuning.pagesBetweenSaves) else { continue }
            // So that an interrupted long count continues here.
            tally.settle(after: began.secondsUntilNow, isEnd: false)
            try await save(kept.changes(to: tally.state), &kept)
        }
        tally.settle(after: began.secondsUntilNow, isEnd: true)
        tally.finish(at: tuning.now())
        try await save(kept.changes(to: tally.state), &kept)
    }

    private func count(
        _ list: TrendsList, _ state: TrackerState, _ zone: TimeZone, _ kept: inout KeptCounts
    ) async throws(CountingFault) {
        let lengths = ListLengths(records: records, list: list)
        let elements = try await read(state.tracker) { () async throws in
            try await lengths.elements(isKnown: state.total != nil)
        }
        let now = tuning.now()
        var (state, ruler) = (state, DayCalendar(zone))
        state.count(elements, choice: list.choice.text, on: ruler.day(of: now))
        (state.zone, state.lastCheck) = (zone.identifier, now)
        try await save(kept.changes(to: state), &kept)
    }

    /// Runs an operation that reads records.
    private func read<Value>(
        _ tracker: TrendsTracker, _ body: () async throws -> Value
    ) async throws(CountingFault) -> Value {
        do {
            return try await body()
        } catch let problem as TrendsProblem {
            throw .problem(problem)
        } catch {
            throw .problem(TrendsProblem(error, about: tracker))
        }
    }
}

extension ContinuousClock.Instant {
    fileprivate var secondsUntilNow: TimeInterval {
        let parts = duration(to: .now).components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}
