import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Arbitrary formats: nothing traps, and parsed ones can be written, evaluated and sent.
@Suite struct FuzzTests {
    private let subject: [String: Any] = ["a": 1, "b": "x", "f": ["x", "y"], "allTokens": ["x y"]]
    private let arguments: [Any] = [1, "x", Date(timeIntervalSince1970: 0), ["x"], Double.nan]

    /// - Returns: Whether it was a valid predicate.
    private func use(_ format: String, _ arguments: [Any], seed: UInt64) -> Bool {
        let tree = PredicateParser.tree(format, arguments)
        let read = PredicateParser.tree(tree.predicateText)
        // The text has more brackets than a format may have.
        let isTooDeep = read.predicateText.contains("nested too deeply")
        #expect(isTooDeep || read == tree, "SEED=\(seed) \(format) -> \(tree.predicateText)")
        let isMet = tree.evaluate(with: subject)
        #expect(!(isMet && tree.isMalformed))
        do throws(UnsupportedPredicate) { _ = try QueryFilters(tree) } catch { #expect(!error.reason.isEmpty) }
        return !tree.isMalformed
    }

    @Test("Random bytes cause no crash", arguments: Seeds.all(10)) func bytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator) & (generator.once(in: 8) ? 0xFF : 0x7F)
            }
            _ = use(String(decoding: bytes, as: UTF8.self), arguments, seed: seed)
        }
    }

    private static let pieces = [
        "a", "b", "f", "1", "-1", "'x'", "\"x\"", "%@", "%K", "%d", "%f", "%", "{", "}", "(", ")", ",", "==", "!=", "<",
        ">=",
        "AND", "OR", "NOT", "!", "ANY", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "LIKE", "MATCHES",
        "TOKENMATCHES", "[cd]", "[", "]", "self", "now()", "tokenize(", "distanceToLocation:fromLocation:(", "CAST(",
        "'LOCATION'", "'KEY'", "TRUEPREDICATE", "nil", "$x", "#in", "-", "+", "*", ".", "@", "SUBQUERY(", "\\", "'",
        "é",
    ]

    @Test("Words in any order cause no crash", arguments: Seeds.all(10)) func words(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var valid = 0
        for _ in 0..<1_000 {
            let words = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
            }
            if use(words.joined(separator: " "), arguments, seed: seed) { valid += 1 }
        }
        #expect(valid < 500)
    }

    @Test("Formats with mistakes cause no crash", arguments: Seeds.all(10)) func mutations(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let formats = FormatTests.table.map(\.0) + TranslationTests.unsupported.map(\.0)
        var valid = 0
        for _ in 0..<1_000 {
            var scalars = Array(formats[Int.random(in: 0..<formats.count, using: &generator)].unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0...scalars.count, using: &generator)
                let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)].unicodeScalars
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where place < scalars.count: scalars.remove(at: place)
                case 1: scalars.insert(contentsOf: piece, at: place)
                case 2: scalars.insert(contentsOf: scalars[place...].prefix(5), at: 0)
                default: scalars.removeSubrange(place..<min(scalars.count, place + 3))
                }
            }
            var format = String.UnicodeScalarView()
            format.append(contentsOf: scalars)
            if use(String(format), arguments, seed: seed) { valid += 1 }
        }
        #expect((50..<950).contains(valid))
    }
}
