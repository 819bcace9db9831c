import CloudKitWire
import Foundation
import NephosTesting
import Testing

/// Compares the meaning of documents with Foundation.
@Suite struct JSONDifferentialTests {
    @Test("Foundation reads our output as we do", arguments: seeds)
    func writing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let tree = JSONTree.random(using: &random)
            let json = Array(written { tree.write(to: &$0) }.utf8)
            let same = try JSONTree(reading: json[...]) == tree
            #expect(same, "\(text(json))")
            let other = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
            #expect(tree.disagreement(with: other) == nil)
        }
    }

    @Test(
        "We read Foundation's output as it does", arguments: seeds,
        [JSONSerialization.WritingOptions.prettyPrinted, []])
    func reading(seed: UInt64, options: JSONSerialization.WritingOptions) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let ours = written { JSONTree.random(using: &random).write(to: &$0) }
            let theirs = try JSONSerialization.jsonObject(with: Data(ours.utf8), options: .fragmentsAllowed)
            let json = try JSONSerialization.data(withJSONObject: theirs, options: options.union(.fragmentsAllowed))
            let tree = try JSONTree(reading: Array(json)[...])
            let again = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
            #expect(tree.disagreement(with: again) == nil)
        }
    }

    @Test(
        "With one byte changed, we accept only what Foundation accepts, except as docs/protocol.md describes",
        arguments: seeds)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var json = Array(written { JSONTree.random(using: &random, depth: 2).write(to: &$0) }.utf8)
            json[Int.random(in: json.indices, using: &random)] =
                Array("{}[]\",:\\0e.-tn\u{1}".utf8).randomElement(using: &random) ?? 0
            guard let tree = try? JSONTree(reading: json[...]) else { continue }
            // Foundation rejects numbers that we round to 0 or that have long exponents; there is nothing to compare.
            guard let other = try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed) else {
                #expect(text(json).contains("e"), "only we read \(text(json))")
                continue
            }
            #expect(tree.disagreement(with: other) == nil)
        }
    }
}
