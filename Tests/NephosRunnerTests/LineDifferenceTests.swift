import Testing

@testable import NephosRunner

/// docs/settings.md, "What a change does": the lines of a section that differ.
@Suite("Differences of texts") struct LineDifferenceTests {
    @Test("Removed and added lines are listed in order")
    func lines() {
        #expect(LineDifference(from: "a\nb\nc", to: "a\nx\nc\nd").lines == ["- b", "+ x", "+ d"])
        #expect(LineDifference(from: "a", to: "a").lines == [])
    }

    @Test("Lines that enclose a difference are listed once, without a sign")
    func enclosing() {
        let old = "a:\n  b:\n    c: 1\n    d: 2\n  e: 3\nf: 4"
        let new = "a:\n  b:\n    c: 1\n    d: 3\n    g: 5\n  e: 3\nf: 4"
        #expect(
            LineDifference(from: old, to: new).lines
                == ["  a:", "    b:", "-     d: 2", "+     d: 3", "+     g: 5"])
    }
}
