import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, R1 to R6.
    @Suite struct ReferenceTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        // F8
        @Test func aReferenceComesBackWithItsActionAndZone() throws {
            try ada.create("A")
            let saved = try ada.modify(
                operation("create", "B", fields: ["r": reference("A"), "s": reference("A", "DELETE_SELF")]))
            for (field, action) in [("r", "NONE"), ("s", "DELETE_SELF")] {
                let value = saved["fields"][field]
                #expect(value["type"] == "REFERENCE")
                #expect(value["value"]["recordName"] == "A")
                #expect(value["value"]["action"] == .string(action))
                #expect(value["value"]["zoneID"]["zoneName"] == "Notes")
            }
        }

        // R1, R3
        @Test func aReferenceThatMustHoldIsCheckedAfterTheWholeBatch() throws {
            expectItem(
                try ada.modify(operation("create", "B", fields: ["r": reference("A", "VALIDATE")])),
                refusedWith: "VALIDATING_REFERENCE_ERROR", name: "B")
            let results = try ada.modify([
                operation("create", "B", fields: ["r": reference("A", "VALIDATE")]), operation("create", "A"),
            ])
            for record in results { expectRecord(record) }
            expectItem(
                try ada.modify(operation("delete", "A")), refusedWith: "VALIDATING_REFERENCE_ERROR", name: "A")
            expectRecord(try ada.lookUp("A"), name: "A")
            for result in try ada.modify([operation("delete", "A"), operation("delete", "B")]) {
                #expect(result["deleted"] == true, "\(result)")
            }
        }

        // R1
        @Test func aReferenceOfALastingRecordKeepsItsTarget() throws {
            try ada.modify([
                operation("create", "B", fields: ["r": reference("A", "VALIDATE")]), operation("create", "A"),
            ])
            let results = try ada.modify([
                operation("delete", "A"), operation("forceUpdate", "B", fields: ["r": ["value": nil]]),
            ])
            #expect(results[0]["deleted"] == true, "\(results)")
            expectRecord(results[1], name: "B", fields: [:])
        }

        // R1
        @Test func withoutAtomicityWhatPointsAtAFailureFailsToo() throws {
            try ada.create("exists")
            let results = try ada.modify(
                [
                    operation("create", "C", fields: ["r": reference("A", "VALIDATE")]),
                    operation("create", "A", fields: ["r": reference("nobody", "VALIDATE")]),
                    operation("create", "D"),
                ], atomic: false)
            expectItem(results[0], refusedWith: "VALIDATING_REFERENCE_ERROR")
            expectItem(results[1], refusedWith: "VALIDATING_REFERENCE_ERROR")
            expectRecord(results[2], name: "D")
        }

        @Test func aReferenceWithoutPromiseMayPointNowhere() throws {
            expectRecord(try ada.modify(operation("create", "A", fields: ["r": reference("nobody", "NONE")])))
        }

        // R5, M8
        @Test func deletingATargetDeletesItsReferrersAndTheirs() throws {
            try ada.create("A")
            try ada.create("B", fields: ["r": reference("A", "DELETE_SELF")])
            try ada.create("C", fields: ["r": reference("B", "DELETE_SELF")])
            try ada.create("D", fields: ["l": ["value": [reference("C", "DELETE_SELF")["value"]]]])
            try ada.create("E", fields: ["r": reference("A", "NONE")])
            let entry: JSON = ["zoneID": ["zoneName": "Notes"]]
            let before = try ada.answer("changes/zone", ["zones": [entry]])["zones"][0]["syncToken"]
            let results = try ada.modify([operation("delete", "A")])
            #expect(results == [["recordName": "A", "deleted": true]])
            for item in try ada.lookUp(["A", "B", "C", "D"]) { expectItem(item, refusedWith: "NOT_FOUND") }
            expectRecord(try ada.lookUp("E"), name: "E")
            let since: JSON = ["zoneID": ["zoneName": "Notes"], "syncToken": before]
            let feed = try ada.answer("changes/zone", ["zones": [since]])["zones"][0]
            let deleted = feed["records"].elements.filter { $0["deleted"] == true }.compactMap {
                $0["recordName"].string
            }
            #expect(deleted.sorted() == ["A", "B", "C", "D"], "\(feed)")
        }

        // R3
        @Test func aCascadeStopsAtWhatMustStay() throws {
            try ada.create("A")
            try ada.create("B", fields: ["r": reference("A", "DELETE_SELF")])
            try ada.create("C", fields: ["r": reference("B", "VALIDATE")])
            let item = try ada.modify(operation("delete", "A"))
            expectItem(item, refusedWith: "VALIDATING_REFERENCE_ERROR", name: "A")
            for record in try ada.lookUp(["A", "B", "C"]) { expectRecord(record) }
        }

        // R4
        @Test func aReferenceThatIsStoredIsNotCheckedAgain() throws {
            try ada.modify([
                operation("create", "A"), operation("create", "B", fields: ["r": reference("A", "DELETE_SELF")]),
            ])
            try ada.modify([operation("delete", "A"), operation("forceUpdate", "B", fields: ["n": ["value": 1]])])
            expectRecord(try ada.modify(operation("forceUpdate", "B", fields: ["n": ["value": 2]])), name: "B")
        }

        // R5
        @Test func aCycleGoesAsAWhole() throws {
            try ada.modify([
                operation("create", "A", fields: ["r": reference("C", "DELETE_SELF")]),
                operation("create", "B", fields: ["r": reference("A", "DELETE_SELF")]),
                operation("create", "C", fields: ["r": reference("B", "DELETE_SELF")]),
                operation("create", "S", fields: ["r": reference("S", "DELETE_SELF")]),
            ])
            #expect(try ada.modify(operation("delete", "B"))["deleted"] == true)
            #expect(try ada.modify(operation("delete", "S"))["deleted"] == true)
            for item in try ada.lookUp(["A", "B", "C", "S"]) { expectItem(item, refusedWith: "NOT_FOUND") }
        }

        // R2
        @Test func aRecordMayPointAtItself() throws {
            for action in ["NONE", "VALIDATE", "DELETE_SELF"] {
                expectRecord(try ada.modify(operation("create", action, fields: ["r": reference(action, action)])))
                #expect(try ada.modify(operation("delete", action))["deleted"] == true)
            }
        }

        // R5
        @Test func aReferrerThatIsChangedInTheSameBatchIsSpared() throws {
            try ada.create("A")
            try ada.create("B", fields: ["r": reference("A", "DELETE_SELF")])
            let results = try ada.modify([
                operation("delete", "A"), operation("forceReplace", "B", fields: ["n": ["value": 1]]),
            ])
            #expect(results[0]["deleted"] == true, "\(results)")
            expectRecord(try ada.lookUp("B"), name: "B", fields: ["n": ["value": 1, "type": "INT64"]])
        }

        // R2, F8
        @Test func aReferenceMayNotLeaveItsZone() throws {
            try ada.createZones("Other")
            try ada.create("A", zone: "Other")
            for action in ["NONE", "VALIDATE", "DELETE_SELF"] {
                let fields: JSON = ["r": reference("A", action, zone: "Other")]
                expectItem(try ada.modify(operation("create", "B", fields: fields)), refusedWith: "BAD_REQUEST")
            }
            expectRecord(
                try ada.modify(operation("create", "B", fields: ["r": reference("A", zone: "Notes")])), name: "B")
        }

        // R6
        @Test func sevenHundredAndFiftyRecordsMayHangOnOne() throws {
            try ada.create("A")
            let hanging: JSON = ["r": reference("A", "DELETE_SELF")]
            for batch in 0..<5 {
                let operations = (0..<150).map { operation("create", "R\(batch * 150 + $0)", fields: hanging) }
                for record in try ada.modify(operations) { expectRecord(record) }
            }
            let one = try ada.modify(operation("create", "one too many", fields: hanging))
            expectItem(one, refusedWith: "BAD_REQUEST")
            expectRecord(try ada.modify(operation("forceUpdate", "R0", fields: ["n": ["value": 1]])))
            let exchange = try ada.modify([operation("delete", "R0"), operation("create", "R750", fields: hanging)])
            expectRecord(exchange[1], name: "R750")
            #expect(try ada.modify(operation("delete", "A"))["deleted"] == true)
            for item in try ada.lookUp(["R1", "R749", "R750"]) { expectItem(item, refusedWith: "NOT_FOUND") }
        }
    }

    /// docs/protocol.md, R1 to R6.
    @Suite struct ParentTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        private let parent: JSON = ["recordName": "P"]

        // R1, R3
        @Test func aParentMustExistAfterTheBatch() throws {
            expectItem(
                try ada.modify(operation("create", "C", parent: parent)),
                refusedWith: "VALIDATING_REFERENCE_ERROR", name: "C")
            let results = try ada.modify([operation("create", "C", parent: parent), operation("create", "P")])
            expectRecord(results[0], name: "C")
            #expect(results[0]["parent"]["recordName"] == "P")
            #expect(try ada.lookUp("C")["parent"]["recordName"] == "P")
            #expect(results[1]["parent"].isAbsent)
        }

        // R3
        @Test func aParentWithChildrenStays() throws {
            try ada.create("P")
            try ada.modify(operation("create", "C", parent: parent))
            for type in ["delete", "forceDelete"] {
                expectItem(try ada.modify(operation(type, "P")), refusedWith: "VALIDATING_REFERENCE_ERROR", name: "P")
            }
            for result in try ada.modify([operation("delete", "P"), operation("delete", "C")]) {
                #expect(result["deleted"] == true, "\(result)")
            }
        }

        // M9, J7
        @Test func nullTakesAChildAway() throws {
            try ada.create("P")
            try ada.modify(operation("create", "C", parent: parent))
            #expect(try ada.modify(operation("forceUpdate", "C"))["parent"]["recordName"] == "P")
            let freed = try ada.modify(operation("forceUpdate", "C", parent: nil))
            expectRecord(freed, name: "C")
            #expect(freed["parent"].isAbsent)
            #expect(try ada.modify(operation("delete", "P"))["deleted"] == true)
        }

        // M11
        @Test func savingAChildLeavesTheParentsTagAlone() throws {
            let tag = try ada.create("P")
            try ada.modify(operation("create", "C", parent: parent))
            try ada.modify(operation("forceUpdate", "C", fields: ["n": ["value": 1]]))
            #expect(try ada.lookUp("P")["recordChangeTag"] == .string(tag))
        }

        // R2
        @Test func nobodyIsTheirOwnParent() throws {
            expectItem(
                try ada.modify(operation("create", "P", parent: parent), atomic: false), refusedWith: "BAD_REQUEST")
        }

        // R2
        @Test func aParentMayNotBeInAnotherZone() throws {
            try ada.createZones("Other")
            try ada.create("P", zone: "Other")
            let item = try ada.modify(
                operation("create", "C", parent: ["recordName": "P", "zoneID": ["zoneName": "Other"]]))
            expectItem(item, refusedWith: "BAD_REQUEST")
        }
    }
}
