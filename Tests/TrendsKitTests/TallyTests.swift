import CloudKit
import Foundation
import NephosTesting
import Testing

@testable import Trends

/// docs/trends-kit.md, "What a refresh reads": records that a service shows late.
@Suite struct TallyTests {
    private struct Record {
        let created: Date
        let shown: Date
    }

    @Test(
        "Records that become visible late, in any order, are each counted once",
        arguments: 1...40 as ClosedRange<UInt64>)
    func late(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let overlap = Double.random(in: 2...600, using: &chance)
        let began = Date(timeIntervalSince1970: 1_800_000_000)
        var (moment, records) = (began, [Record]())
        for _ in 0..<300 {
            // Every other one is created at the same moment as the previous one.
            if Bool.random(using: &chance) { moment += Double.random(in: 0...100, using: &chance) }
            records.append(
                Record(created: moment, shown: moment + Double.random(in: 0...(overlap - 1), using: &chance)))
        }
        var (now, state) = (began, TrackerState(.type("Post"), zone: "GMT"))
        state.saved = began
        while now < moment + overlap {
            state = read(records, state, &now, overlap, &chance)
            now += Double.random(in: 0...900, using: &chance)
        }
        state = read(records, state, &now, overlap, &chance, isWhole: true)
        var ruler = DayCalendar(.gmt)
        let real = Dictionary(grouping: records) { ruler.day(of: $0.created) }.mapValues(\.count)
        #expect(state.days == real, "seed \(seed)")
    }

    /// Reads page by page, while time passes and records become visible before the position that was reached. May stop early.
    private func read(
        _ records: [Record], _ state: TrackerState, _ now: inout Date, _ overlap: TimeInterval,
        _ chance: inout SeededGenerator, isWhole: Bool = false
    ) -> TrackerState {
        let began = now
        var (tally, kept, place) = (CreationTally(state, zone: .gmt, overlap: overlap), state, -1)
        while true {
            let since = tally.from?.addingTimeInterval(-1) ?? .distantPast
            let page = records.indices.filter { $0 > place && records[$0].shown <= now && records[$0].created >= since }
                .prefix(4)
            tally.add(page.map { records[$0].created })
            tally.settle(after: now.timeIntervalSince(began), isEnd: page.count < 4)
            now += Double.random(in: 0...30, using: &chance)
            if page.count < 4 || Bool.random(using: &chance) {
                kept = tally.state
                kept.saved = now
            }
            guard page.count == 4, isWhole || Int.random(in: 0..<10, using: &chance) > 0 else { return kept }
            place = page.last ?? place
        }
    }

    // MARK: Stored values of a hostile server

    private static let zoneID = CKRecordZone.ID(zoneName: "CKTrends")

    /// The stored records of a tracker.
    private func stored(_ tracker: TrendsTracker) -> [CKRecord] {
        func record(_ type: CKRecord.RecordType, _ name: String) -> CKRecord {
            CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: Self.zoneID))
        }
        let state = record(KeptCounts.trackerType, tracker.recordName)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        state["timeZone"] = "GMT"
        state["choice"] = "newest"
        state["lastCheck"] = time
        state["settled"] = time
        state["openDays"] = ["2027-03-20"]
        state["openCounts"] = [3]
        state["total"] = 3
        state["delta"] = 1
        let year = record(KeptCounts.yearType, "\(tracker.recordName).2027")
        year["days"] = ["2027-03-20"]
        year["counts"] = [7]
        return [state, year]
    }

    @Test("Whatever replaces a stored value, counting continues, and counts are reported and stored again")
    func hostileValues() throws {
        // The range of times in milliseconds, to which those of a response are clamped.
        let times = [9.223372036854775e15, -9.223372036854775e15, 0, 1e12].map { Date(timeIntervalSince1970: $0) }
        let numbers = [Int.min, Int.min + 1, -1, 1 << 53, 1 << 53 + 1, Int.max]
        var values: [Any] = ["", "x", 0.5, ["", "-"], ["2027-03-20", "2027-03-20"], [Int](), ["x"]]
        values += times.map { $0 as Any }
        values += numbers.map { $0 as Any }
        values += numbers.map { [$0, $0] as Any }
        for tracker in [TrendsTracker.type("Post"), .list(TrendsList("Post", "names"))] {
            for (index, record) in stored(tracker).enumerated() {
                for field in record.allKeys() {
                    for value in values {
                        let records = stored(tracker)
                        records[index].setValue(value, forKey: field)
                        try use(KeptCounts(Self.zoneID, records), tracker, times, "\(field) = \(value)")
                    }
                }
            }
        }
    }

    /// Does everything that a refresh does with stored counts.
    private func use(_ kept: KeptCounts, _ tracker: TrendsTracker, _ times: [Date], _ what: String) throws {
        var state = try #require(kept.state(of: tracker))
        let counts = Array(state.days.values) + Array(state.open.values) + (state.total.map { [$0] } ?? [])
        #expect(counts.allSatisfy { (0...(1 << 53)).contains($0) }, "\(what)")
        var tally = CreationTally(state, zone: .gmt, overlap: 900)
        tally.add(times)
        tally.settle(after: 1, isEnd: false)
        tally.settle(after: 1, isEnd: true)
        state.count(3, choice: "newest", on: "2027-03-21")
        for state in [state, tally.state] {
            #expect(kept.changes(to: state).count > 0, "\(what)")
            let figures = TrendsFigures(zone: "GMT", series: [state.series])
            #expect(try JSONEncoder().encode(figures).count > 10, "\(what)")
            #expect(try TrendsReport(figures, source: "x").json().count > 10, "\(what)")
        }
    }

    @Test("A difference that no number can express is none")
    func differences() {
        var state = TrackerState(.list(TrendsList("Post", "names")), zone: "GMT")
        state.total = Int.min
        state.choice = "newest"
        state.count(3, choice: "newest", on: "2027-03-20")
        #expect(state.delta == nil && state.total == 3)
        state.count(1, choice: "newest", on: "2027-03-21")
        #expect(state.delta == -2)
    }

    @Test("The service's clock decides what is settled, not a device's")
    func clocks() {
        var state = TrackerState(.type("Post"), zone: "GMT")
        let stored = Date(timeIntervalSince1970: 1_800_000_000.5)
        state.saved = stored
        var tally = CreationTally(state, zone: .gmt, overlap: 60)
        tally.settle(after: 0, isEnd: true)
        #expect(tally.state.settled == Date(timeIntervalSince1970: 1_799_999_940))
        tally.add([stored + 100])
        // It was read 30 s after reading began, so reading began at least 70 s after the tracker was stored.
        tally.settle(after: 30, isEnd: true)
        #expect(tally.state.settled == Date(timeIntervalSince1970: 1_800_000_010))
        #expect(tally.state.open.values.reduce(0, +) == 1)
        tally.settle(after: 0, isEnd: true)
        #expect(tally.state.settled == Date(timeIntervalSince1970: 1_800_000_040))
    }
}
