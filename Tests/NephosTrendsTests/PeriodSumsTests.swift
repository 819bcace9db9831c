import NephosStorage
import NephosTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Reading".
@Suite struct PeriodSumsTests {
    @Test(
        "Counts of months are added to the periods in which their quarter hours begin, however large and in any order",
        arguments: 1...60 as ClosedRange<UInt64>)
    func model(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let hasMoved = seed % 3 == 0
        var limits = [Int64.random(in: 0...9_000, using: &chance)]
        for _ in 0..<Int.random(in: 0...40, using: &chance) {
            limits.append((limits.last ?? 0) + .random(in: 1...300, using: &chance))
        }
        var sums = PeriodSums(limits)
        var real = Array(repeating: TrendCounts(), count: limits.count - 1)
        var after: Int64 = 0
        func count(_ counts: TrendCounts, _ quarter: Int64) {
            if quarter >= limits[limits.count - 1] {
                after += counts.net
            } else if let place = limits.lastIndex(where: { $0 <= quarter }) {
                real[place] += counts
            }
        }
        func number() -> Int64 {
            chance.once(in: 12) ? .random(in: 0...1_000_000, using: &chance) : .random(in: 0...9, using: &chance)
        }
        for month in Int64(0)..<5 where !chance.once(in: 4) {
            var counts = MonthCounts()
            for _ in 0..<Int.random(in: 0...90, using: &chance) {
                counts.add(
                    TrendCounts(
                        created: number() + 1, deleted: number(), restored: number(), moved: hasMoved ? -number() : 0),
                    in: .random(in: 0..<28 * 96, using: &chance))
            }
            for (quarter, one) in counts.quarters { count(one, TrendMonth.start(of: month) + quarter) }
            try sums.add(TrendMonthRow(TrendSeries(type: 1, part: hasMoved ? 7 : 0), month, counts))
        }
        for _ in 0..<20 {
            let (one, quarter) = (TrendCounts(created: number()), Int64.random(in: 0...20_000, using: &chance))
            count(one, quarter)
            sums.add(one, quarter)
        }
        #expect(sums.counts == real && sums.after == after, "seed \(seed)")
    }
}
