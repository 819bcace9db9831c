import NephosDomain
import NephosStorage
import NephosTesting
import Testing

@testable import NephosTrends

/// The parts of counting, each separately.
@Suite struct PartTests {
    @Test("A head contains what was added, in any order", arguments: 1...40 as ClosedRange<UInt64>)
    func annex(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var annex = TrendAnnex([])
        var model: [[Int64]: Int64] = [:]
        for _ in 0..<200 {
            let event: RecordTally.Event = [.created, .deleted, .restored].randomElement(using: &chance) ?? .created
            let tally = RecordTally(
                type: .random(in: 1...8, using: &chance), event, at: .random(in: 0...9, using: &chance) * 900_000 + 7,
                count: .random(in: 1...500, using: &chance))
            let key = [
                Int64(tally.type), tally.at / 900_000,
                Int64([.created, .deleted, .restored].firstIndex(of: event) ?? 0),
            ]
            let isKnown = model.keys.contains { $0[0] == key[0] && $0[1] == key[1] }
            let fits = isKnown || Set(model.keys.map { Array($0.prefix(2)) }).count < TrendAnnex.entriesMax
            let isTaken = annex.add(tally)
            #expect(isTaken == fits, "seed \(seed)")
            if fits { model[key, default: 0] += tally.count }
        }
        var read: [[Int64]: Int64] = [:]
        for entry in TrendAnnex(annex.bytes).entries {
            for (place, count) in [entry.counts.created, entry.counts.deleted, entry.counts.restored].enumerated()
            where count > 0 {
                read[[Int64(entry.type), entry.quarter, Int64(place)]] = count
            }
        }
        #expect(read == model, "seed \(seed)")
        #expect(annex.bytes.count <= HeadAnnex.bytesMax)
    }

    @Test("A count too large for a head does not wrap around")
    func large() {
        var annex = TrendAnnex([])
        let tallies = [Int64(UInt32.max) - 1, 1, 1].map { RecordTally(type: 1, .created, at: 0, count: $0) }
        let isTaken = tallies.map { annex.add($0) }
        #expect(isTaken == [true, true, false])
        #expect(annex.entries.first?.counts.created == Int64(UInt32.max))
    }

    @Test(
        "A month's counts survive a round trip, and anything else is rejected",
        arguments: 1...40 as ClosedRange<UInt64>)
    func month(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var month = MonthCounts()
        var real: [Int64: Int64] = [:]
        for _ in 0..<Int.random(in: 0...96, using: &chance) {
            let counts = TrendCounts(
                created: Int64.random(in: 1...(Int64(1) << Int64.random(in: 1...40, using: &chance)), using: &chance),
                deleted: .random(in: 0...3, using: &chance), restored: .random(in: 0...200, using: &chance))
            let quarter = Int64.random(in: 0..<TrendMonth.quartersMax - 1, using: &chance)
            month.add(counts, in: quarter)
            real[quarter, default: 0] += counts.created
        }
        #expect(Dictionary(uniqueKeysWithValues: month.quarters.map { ($0.quarter, $0.counts.created) }) == real)
        #expect(month.quarters.map(\.quarter) == real.keys.sorted())
        #expect(try MonthCounts(month.bytes()) == month, "seed \(seed)")
        // Truncated within a number it is not a month, nor is one with an impossible quarter, or with one twice.
        for bytes: [UInt8] in [month.bytes() + [1], [0xA1, 0x17, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1], [1, 0x80]] {
            #expect(throws: StorageError.self, "seed \(seed)") { try MonthCounts(bytes) }
        }
    }

    @Test("Each quarter hour has its place in its month, across years and leap days")
    func months() {
        #expect(TrendMonth.of(quarter: 0) == (0, 0) && TrendMonth.of(quarter: 31 * 96) == (1, 0))
        for quarter in stride(from: Int64(0), to: 60 * 366 * 96, by: 95) {
            let (month, place) = TrendMonth.of(quarter: quarter)
            #expect(TrendMonth.start(of: month) + place == quarter && place >= 0)
            #expect(quarter < TrendMonth.start(of: month + 1))
        }
    }

    @Test(
        "Days begin at midnight, or else at the first moment after it; a day has 23, 24 or 25 hours"
    )
    func days() throws {
        func hours(_ zone: String, _ date: String) throws -> Double {
            let days = try #require(Days(zone: zone))
            let day = try #require(CivilDate(date)).days
            #expect(
                days.day(of: days.beginning(of: day)) == day && days.day(of: days.beginning(of: day) - 1) == day - 1)
            return Double(days.beginning(of: day + 1) - days.beginning(of: day)) / 3_600_000
        }
        #expect(try hours("Europe/Rome", "2026-03-29") == 23)
        #expect(try hours("Europe/Rome", "2026-10-25") == 25)
        #expect(try hours("Asia/Kathmandu", "2026-10-25") == 24)
        // Without a midnight.
        #expect(try hours("Africa/Cairo", "2026-04-24") == 23)
        #expect(try hours("America/Sao_Paulo", "2018-11-04") == 23)
        // With two.
        #expect(try hours("America/Sao_Paulo", "2018-02-17") == 25)
        #expect(try hours("Australia/Lord_Howe", "2026-04-05") == 24.5)
        #expect(Days(zone: "CEST") == nil && Days(zone: "Mars/Base") == nil && Days(zone: "") == nil)
    }

    @Test("Weeks begin on Monday, and periods follow each other without a gap")
    func periods() throws {
        let day = try #require(CivilDate("2026-11-26")).days
        #expect("\(CivilDate(Days.first(of: .week, day)))" == "2026-11-23")
        #expect("\(CivilDate(Days.first(of: .month, day)))" == "2026-11-01")
        #expect("\(CivilDate(Days.first(of: .year, day)))" == "2026-01-01")
        for period in Days.Period.allCases {
            for day in stride(from: Int64(0), to: 40_000, by: 13) {
                let first = Days.first(of: period, day)
                let next = Days.next(period, after: first)
                #expect(
                    first <= day && day < next && Days.first(of: period, next) == next, "\(period) \(CivilDate(day))")
                #expect(Days.first(of: period, next - 1) == first, "\(period) \(CivilDate(day))")
            }
        }
        for text in [
            "2026-02-29", "2026-13-01", "2026-00-10", "26-01-01", "2026-1-01", "2026-01-01 ", "", "x", "+026-01-01",
        ] {
            #expect(CivilDate(text) == nil, "\(text)")
        }
    }
}
