import NephosTesting
import Testing

@testable import NephosKit

/// The text form of archived predicates.
@Suite struct TextTests {
    @Test("Every tree's text parses to the same tree", arguments: Seeds.all(40))
    func roundTrip(seed: UInt64) {
        var random = RandomTrees(seed: seed)
        for _ in 0..<200 {
            let tree = random.tree(depth: 4)
            let text = tree.predicateText
            let read = PredicateParser.tree(text)
            #expect(read == tree && read.predicateText.utf8.elementsEqual(text.utf8), "SEED=\(seed) \(text)")
        }
    }

    @Test("The text of a format's tree parses again", arguments: FormatTests.table)
    func formats(format: String, expected: PredicateTree) {
        #expect(tree(expected.predicateText) == expected)
    }

    @Test func textsStayReadable() {
        #expect(
            tree("a=1 && !(b contains 'x' || self.c in{2,3})").predicateText
                == "a == 1 AND NOT (b CONTAINS 'x' OR c IN {2, 3})")
        #expect(tree("#in = 'it\\'s'").predicateText == #"CAST('in', 'KEY') == 'it\'s'"#)
    }
}
