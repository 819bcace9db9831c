import CloudKitWire
import NephosStorage
import NephosTesting
import Testing

@testable import NephosContent

/// In 100,000 picks each record is picked according to its weight, by Pearson's chi-square test at p = 0.001.
@Suite("Fairness of picks") struct FairnessTests {
    private static let picks = 100_000
    /// For a chi-square with 99 degrees of freedom, at p = 0.001.
    private static let critical = 148.23

    /// 100 records in groups, prepared as by the server.
    private struct Shelf {
        var items: [PickPlace: PickItemRow] = [:]
        var buckets: [PickChoice.Bucket] = []
        let weights: [Int64]

        init(weights: [Int64], groups: Int64) {
            self.weights = weights
            var counts: [PickPlace: Int64] = [:]
            for (number, weight) in weights.enumerated() {
                var place = PickPlace(
                    group: Int64(number * number) % groups + 1, state: PickState(openWithWeight: weight), slot: 0)
                let count = counts[place] ?? 0
                counts[place] = count + 1
                place.slot = count
                items[place] = PickItemRow(
                    type: 1, group: place.group, state: place.state, slot: place.slot, name: Name("\(number)"),
                    weight: weight, shownFrom: 0, moment: PickItemRow.never)
            }
            buckets = counts.sorted { $0.key < $1.key }.compactMap { place, count in
                guard case .open(let weightClass) = place.state else { return nil }
                return PickChoice.Bucket(group: place.group, weightClass: weightClass, count: count)
            }
        }

        /// The record that a seed picks by drawing positions.
        func drawn(_ seed: UInt64) -> Int? {
            var draw = PickDraw(PickSeed(seed), buckets)
            while let candidate = draw.next() {
                if let item = items[candidate.place], candidate.accepts(item) { return Int(item.name.text) }
            }
            return nil
        }

        /// The first record in the order of a seed.
        func first(_ seed: UInt64) -> Int? {
            PickDraw.order(Array(items.values), PickSeed(seed)).first.flatMap { Int($0.name.text) }
        }

        func chiSquare(_ pick: (UInt64) -> Int?) -> Double {
            var (counts, seeds) = (Array(repeating: 0, count: weights.count), SeededGenerator(seed: 26))
            for _ in 0..<picks { if let number = pick(seeds.next()) { counts[number] += 1 } }
            let all = Double(weights.reduce(0, +))
            return zip(counts, weights).reduce(0) { sum, cell in
                let expected = Double(picks) * Double(cell.1) / all
                return sum + (Double(cell.0) - expected) * (Double(cell.0) - expected) / expected
            }
        }
    }

    private static let even = Array(repeating: Int64(1), count: 100)
    private static let uneven = (0..<100).map { Int64(1 + ($0 * 37) % 100) }

    @Test("Records with equal weights are picked equally often (S0-55)", arguments: [1, 8])
    func uniform(groups: Int64) {
        let shelf = Shelf(weights: Self.even, groups: groups)
        #expect(shelf.chiSquare(shelf.drawn) < Self.critical)
    }

    @Test("Records are picked in proportion to their weights (S0-55)", arguments: [1, 8])
    func weighted(groups: Int64) {
        let shelf = Shelf(weights: Self.uneven, groups: groups)
        #expect(shelf.chiSquare(shelf.drawn) < Self.critical)
    }

    @Test("When all records are considered, the first is chosen in proportion to its weight")
    func ordered() {
        for weights in [Self.even, Self.uneven] {
            let shelf = Shelf(weights: Array(weights.prefix(10)), groups: 3)
            // For 9 degrees of freedom.
            #expect(shelf.chiSquare(shelf.first) < 27.88)
        }
    }

    @Test("Each position of an order without repeats has each record equally often")
    func permuted() {
        let shelf = Shelf(weights: Self.even, groups: 1)
        for position in [Int64(0), 50, 99] {
            #expect(shelf.chiSquare { Int(PickRound.permuted(position, of: 100, $0)) } < Self.critical)
        }
    }

    @Test("A biased picker is detected")
    func biased() {
        let even = Shelf(weights: Self.even, groups: 3), uneven = Shelf(weights: Self.uneven, groups: 3)
        // One of 50 picks is given to the next record.
        #expect(even.chiSquare { seed in even.drawn(seed).map { seed % 50 == 0 ? 7 : $0 } } > Self.critical)
        // Uses the weight limit of a class instead of a record's weight.
        #expect(
            uneven.chiSquare { seed in
                var draw = PickDraw(PickSeed(seed), uneven.buckets)
                return draw.next().flatMap { uneven.items[$0.place] }.flatMap { Int($0.name.text) }
            } > Self.critical)
    }

    @Test(
        "An order without repeats has each number once", arguments: [1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 1_000, 4_097])
    func bijective(count: Int64) {
        for key in UInt64(0)..<3 {
            let numbers = Set((0..<count).map { PickRound.permuted($0, of: count, key) })
            #expect(numbers == Set(0..<count))
        }
    }

    @Test("Each of ten or a million positions is drawn equally often")
    func million() {
        // In a hundred stretches.
        let bucket = PickChoice.Bucket(group: 1, weightClass: 0, count: 1_000_000)
        let shelf = Shelf(weights: Self.even, groups: 1)
        #expect(
            shelf.chiSquare { seed in
                var draw = PickDraw(PickSeed(seed), [bucket])
                return draw.next().map { Int($0.place.slot / 10_000) }
            } < Self.critical)
    }
}
