import NephosTesting
import Testing

@testable import Charts

@Suite("Numbers and axes") struct NumberTests {
    @Test(
        "Numbers are written with groups of three",
        arguments: [
            (0, "0"), (-0.0, "0"), (7, "7"), (999, "999"), (1_234, "1,234"), (-20, "\u{2212}20"),
            (1_234_567.5, "1,234,567.5"),
            (0.25, "0.25"), (0.05, "0.05"), (0.9996, "1"), (-0.0001, "0"),
            (1e18, "1,000,000,000,000,000,000"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        #expect(NumberText.full(value) == text)
    }

    @Test(
        "An axis has round numbers, abbreviated where they are large",
        arguments: [
            (0, 9, ["0", "2", "4", "6", "8", "10"]), (0, 0, ["0", "1"]),
            (-22, 17, ["\u{2212}30", "\u{2212}20", "\u{2212}10", "0", "10", "20"]),
            (0, 12_000, ["0", "2k", "4k", "6k", "8k", "10k", "12k"]), (0, 3_400_000, ["0", "1M", "2M", "3M", "4M"]),
            (0, 1_400_000, ["0", "500k", "1M", "1.5M"]), (0, 0.4, ["0", "0.1", "0.2", "0.3", "0.4"]),
            (41_012, 41_190, ["41k", "41.05k", "41.1k", "41.15k", "41.2k"]),
        ] as [(Double, Double, [String])])
    func axes(low: Double, high: Double, labels: [String]) {
        let isWhole = high == high.rounded()
        #expect(Axis(from: low, to: high, intervalsMax: 6, isWhole: isWhole).labels == labels)
    }

    @Test(
        "Ticks cover the range, are 1, 2 or 5 times a power of ten apart, and have distinct labels",
        arguments: Seeds.all(20))
    func ticks(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let scale: Double = [1e-5, 0.01, 1, 50, 1e4, 1e9, 9e17].randomElement(using: &random) ?? 1
            let isWhole = scale >= 50 && random.once(in: 2)
            var ends = [
                Double.random(in: -scale...scale, using: &random), Double.random(in: -scale...scale, using: &random),
            ]
            if isWhole { ends = ends.map { $0.rounded() } }
            if random.once(in: 2) { ends[0] = 0 }
            let (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
            let axis = Axis(from: low, to: high, intervalsMax: Int.random(in: 2...6, using: &random), isWhole: isWhole)
            let said: Comment = "SEED=\(seed): \(low) to \(high), \(axis.ticks)"
            #expect(axis.lower <= low && axis.upper >= high, said)
            #expect((2...7).contains(axis.ticks.count) && Set(axis.labels).count == axis.ticks.count, said)
            if isWhole { #expect(axis.ticks.allSatisfy { $0 == $0.rounded() }, said) }
            var step = axis.ticks[1] - axis.ticks[0]
            while step >= 9.9 { step /= 10 }
            while step < 0.99 { step *= 10 }
            #expect([1, 2, 5].contains { (step - $0).magnitude < 1e-3 }, said)
        }
    }

    @Test("A text is cut only where its room ends")
    func cut() {
        #expect("Post".cut(to: 100) == "Post")
        #expect("Postscript of a letter".cut(to: 60) == "Postsc…")
        #expect("e\u{301}e\u{301}e\u{301}e\u{301}".cut(to: 28) == "e\u{301}e\u{301}…")
        let huge = String(repeating: "x", count: 1_000_000)
        #expect(TextWidth.of(huge.cut(to: 200)) <= 200)
        #expect("one two three four".wrapped(to: 60, lines: 2, size: 12) == ["one two", "three f…"])
    }
}
