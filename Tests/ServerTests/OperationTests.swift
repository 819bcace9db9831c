import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, M3, M4 and M8. Each row has its own record.
    @Suite struct OperationTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes.shared("OperationTests").ada }

        /// The initial state for one operation, and the required outcome.
        struct Case: CustomTestStringConvertible, Sendable {
            enum Meets: String, CaseIterable {
                case existing = "an existing record, tag current", missing = "no record"
                case stale = "an existing record, tag stale", untagged = "an existing record, no tag"
                case otherType = "an existing record of another type, tag current"
            }

            enum Outcome: Sendable {
                case merged, replaced, created, deleted
                case refused(String)

                static let exists = refused("EXISTS"), notFound = refused("NOT_FOUND")
                static let conflict = refused("CONFLICT"), badRequest = refused("BAD_REQUEST")
            }

            var type: String
            var meets: Meets
            var outcome: Outcome
            var testDescription: String { "\(type) meets \(meets.rawValue)" }
        }

        /// For each operation, one outcome for each of ``Case/Meets``, in their order.
        static let cases: [Case] = [
            ("create", [.exists, .created, .exists, .exists, .exists]),
            ("update", [.merged, .notFound, .conflict, .badRequest, .badRequest]),
            ("forceUpdate", [.merged, .created, .merged, .merged, .badRequest]),
            ("replace", [.replaced, .notFound, .conflict, .badRequest, .badRequest]),
            ("forceReplace", [.replaced, .created, .replaced, .replaced, .badRequest]),
            ("delete", [.deleted, .notFound, .conflict, .deleted, .deleted]),
            ("forceDelete", [.deleted, .deleted, .deleted, .deleted, .deleted]),
        ].flatMap { (type: String, outcomes: [Case.Outcome]) in
            zip(Case.Meets.allCases, outcomes).map { Case(type: type, meets: $0, outcome: $1) }
        }

        @Test(arguments: cases) func operationMeets(_ test: Case) throws {
            let name = test.testDescription
            let kept: JSON = ["value": "kept", "type": "STRING"]
            let before: JSON = ["a": kept, "b": ["value": 1, "type": "INT64"]]
            var tag: String?
            if test.meets != .missing {
                let first = try ada.create(name, fields: ["a": ["value": "first"], "b": ["value": 1]])
                let second = try ada.modify(operation("update", name, tag: first, fields: ["a": kept]))
                tag = second["recordChangeTag"].string
                if test.meets == .stale { tag = first }
                if test.meets == .untagged { tag = nil }
            }
            let type = test.meets == .otherType ? "Other" : "Note"
            let now = test.meets == .missing ? "" : try ada.lookUp(name)["recordChangeTag"].string

            let result = try ada.modify(
                operation(test.type, name, type: type, tag: tag, fields: ["b": ["value": 2]]), atomic: false)

            let changed: JSON = ["value": 2, "type": "INT64"]
            let read = try ada.lookUp(name)
            switch test.outcome {
            case .merged, .replaced, .created:
                var fields: JSON = ["b": changed]
                if case .merged = test.outcome { fields["a"] = kept }
                expectRecord(result, name: name, fields: fields)
                #expect(read == result)
                #expect(read["recordChangeTag"].string != now)
            case .deleted:
                #expect(result == ["recordName": .string(name), "deleted": true])
                expectItem(read, refusedWith: "NOT_FOUND", name: name)
            case .refused(let code):
                expectItem(result, refusedWith: code, name: name)
                if test.meets == .missing {
                    expectItem(read, refusedWith: "NOT_FOUND", name: name)
                } else {
                    expectRecord(read, name: name, fields: before)
                    #expect(read["recordChangeTag"].string == now, "a refused operation changed the tag")
                }
            }
        }
    }
}
