import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// docs/protocol.md R8.
@Suite("The cost of deciding deletions") struct DecisionStepsTests {
    private typealias Link = ReferenceFixture.Link

    private func codes(_ answer: ModifyRecords.Answer) -> [String] {
        answer.items.map { item in
            if case .refused(let refusal) = item.outcome { refusal.serverErrorCode.rawValue } else { "ok" }
        }
    }

    /// 200 roots on which a chain of 9,800 holders depends, and at its end the link given by `last`.
    private func forest(_ more: [Link]) -> (desk: ReferenceFixture, roots: [String]) {
        let roots = (0..<200).map { "root\($0)" }
        let chain = (0..<9_800).map { "link\($0)" }
        var links = roots.map { Link(holder: chain[0], kind: .deleteSelf, target: $0) }
        links += zip(chain, chain.dropFirst()).map { Link(holder: $1, kind: .deleteSelf, target: $0) }
        return (ReferenceFixture(roots + chain + ["child"], links + more), roots)
    }

    @Test("When one remaining record blocks 200 deletions, each record of their cascades is visited once")
    func blocked() throws {
        let (desk, roots) = forest([Link(holder: "child", kind: .parent, target: "link9799")])
        let answer = try desk.delete(roots)
        #expect(codes(answer) == roots.map { _ in "VALIDATING_REFERENCE_ERROR" })
        // 10,000 edges, two questions per record, and a few visits of each: not a separate walk for each deletion.
        #expect(answer.steps < 500_000, "\(answer.steps)")
        #expect(codes(try forest([]).desk.delete(roots)) == roots.map { _ in "ok" })
    }

    @Test("Deletions that fail because of each other, round by round, are rejected beyond a limit, which is named")
    func manyRounds() throws {
        // If a root stays, it holds the next one.
        let links = (1..<200).map { Link(holder: "root\($0 - 1)", kind: .validate, target: "root\($0)") }
        let (desk, roots) = forest(links + [Link(holder: "child", kind: .parent, target: "root0")])
        let refusal = #expect(throws: Refusal.self) { try desk.delete(roots) }
        #expect(refusal?.serverErrorCode == .badRequest)
        #expect(refusal?.reason.contains("1000000 steps") == true)
        // A few of them are decided.
        let few = Array(roots.prefix(5))
        #expect(codes(try desk.delete(few)) == few.map { _ in "VALIDATING_REFERENCE_ERROR" })
    }

    // R3: records in the cascade come before the one that stays.
    @Test("A blocking record is found among many deleted ones") func behindOthers() throws {
        let others = (0..<60).map { "both\($0)" }
        let both = others.flatMap { other in
            [ReferenceKind.deleteSelf, .parent].map { Link(holder: other, kind: $0, target: "a") }
        }
        let desk = ReferenceFixture(
            ["a"] + others + ["child"], both + [Link(holder: "child", kind: .parent, target: "a")])
        #expect(codes(try desk.delete(["a"])) == ["VALIDATING_REFERENCE_ERROR"])
        #expect(codes(try desk.delete(["a", "child"])) == ["ok", "ok"])
        #expect(codes(try ReferenceFixture(["a"] + others, both).delete(["a"])) == ["ok"])
    }
}
