import Audience
import Foundation
import Testing

/// docs/audiences.md, "Percentages".
@Suite("Splits") struct SplitTests {
    private let keys = (0..<100_000).map { "person-\($0)" }

    private func counts(_ salt: String, into cells: Int) -> [Int] {
        let bucket = Bucket(salt: salt)
        var counts = Array(repeating: 0, count: cells)
        for key in keys { counts[bucket.number(of: key) * cells / Bucket.count] += 1 }
        return counts
    }

    /// For cells of equal probability.
    private func chiSquare(_ counts: [Int]) -> Double {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }

    @Test("A split of 100,000 ids is even", arguments: ["tipJar", "chibiVersionCheck", "🎃", ""])
    func even(_ salt: String) {
        // 99 degrees of freedom, p = 0.001.
        #expect(chiSquare(counts(salt, into: 100)) < 148.23)
    }

    @Test("Ids that are included stay included as a percentage grows")
    func sticky() throws {
        var before: Set<String> = []
        for share in [0, 1, 1_000, 12_500, 50_000, 99_999, 100_000] {
            let set = FlagSet(
                [flag("f", rules: #"[{"serve":{"split":{"on":\#(share),"off":\#(100_000 - share)}}}]"#)], .empty, now: 0
            )
            var now: Set<String> = []
            for key in keys.prefix(5_000) {
                var context = EvaluationContext(now: 0)
                context.targetingKey = key
                if try set.evaluate("f", for: context).variant.name == "on" { now.insert(key) }
            }
            #expect(before.isSubset(of: now))
            before = now
        }
        #expect(before.count == 5_000)
    }

    @Test("A person's bucket in one flag is independent of the bucket in another")
    func independent() {
        let (one, other) = (Bucket(salt: "one"), Bucket(salt: "other"))
        var cells = Array(repeating: 0, count: 100)
        for key in keys { cells[one.number(of: key) / 10_000 * 10 + other.number(of: key) / 10_000] += 1 }
        #expect(chiSquare(cells) < 148.23)
    }
}
