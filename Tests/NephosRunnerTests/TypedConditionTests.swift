import CloudKitWire
import Foundation
import NephosRunner
import Testing

/// docs/audiences.md, "Conditions".
@Suite("Conditions that operators write") struct TypedConditionTests {
    private func reason(_ json: String) -> String? {
        do throws(WireError) {
            _ = try TypedCondition(Array(json.utf8)[...], salt: "", nil)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("The keys that are suggested are those of the page, and all are supported")
    func keys() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/audiences.md").standardized
        let sections = try String(contentsOf: page, encoding: .utf8).split(separator: "\n## ")
        let rows = try #require(sections.first { $0.hasPrefix("Conditions") }).split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let documented = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").matches(of: /`(\w+)`/).map { String($0.1) }
        }
        #expect(documented.count > 15 && Set(documented) == Set(TypedCondition.keys), "\(documented)")
        for key in TypedCondition.keys {
            #expect(reason("{\"\(key)\":[[]]}")?.contains("supports no such condition") != true, "\(key)")
        }
    }

    @Test(
        "An unknown key is refused with its place, at any depth",
        arguments: [
            (#"{"platfrom":"iOS"}"#, "platfrom: this version supports no such condition; did you mean platform?"),
            (
                #"{"locale":"es","moon":1}"#,
                "moon: this version supports no such condition; docs/audiences.md lists all"
            ),
            (
                #"{"all":[{"locale":"es"},{"not":{"ap":"2"}}]}"#,
                "all[1].not.ap: this version supports no such condition; did you mean app?"
            ),
        ])
    func unknown(_ json: String, _ expected: String) { #expect(reason(json) == expected) }

    @Test("What is inside of values is no key of a condition")
    func values() {
        #expect(
            reason(#"{"fact":{"moon":1},"every":{"days":["sat"],"zone":"UTC"},"percent":{"share":1,"salt":"moon"}}"#)
                == nil)
    }
}
