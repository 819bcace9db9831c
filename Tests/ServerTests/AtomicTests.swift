import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, M1, M2 and M6.
    @Suite struct AtomicTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        @Test(arguments: [nil, true]) func inACustomZoneOneFailureFailsTheBatch(atomic: Bool?) throws {
            try ada.create("exists", fields: ["n": ["value": 1]])
            let results = try ada.modify(
                [operation("create", "A"), operation("create", "exists"), operation("forceDelete", "exists2")],
                atomic: atomic)
            expectItem(results[0], refusedWith: "ATOMIC_ERROR", name: "A")
            expectItem(results[1], refusedWith: "EXISTS", name: "exists")
            expectItem(results[2], refusedWith: "ATOMIC_ERROR", name: "exists2")
            expectItem(try ada.lookUp("A"), refusedWith: "NOT_FOUND")
        }

        @Test func aFailedBatchLeavesNoTrace() throws {
            let tag = try ada.create("A", fields: ["n": ["value": 1]])
            let before = try ada.answer("changes/zone", ["zones": [["zoneID": ["zoneName": "Notes"]]]])["zones"][0]
            let results = try ada.modify([
                operation("update", "A", tag: tag, fields: ["n": ["value": 2]]), operation("create", "B"),
                operation("update", "A2", tag: tag),
            ])
            #expect(
                results.map(\.["serverErrorCode"]) == ["ATOMIC_ERROR", "ATOMIC_ERROR", "NOT_FOUND"], "\(results)")
            let after = try ada.answer(
                "changes/zone", ["zones": [["zoneID": ["zoneName": "Notes"], "syncToken": before["syncToken"]]]])
            #expect(after["zones"][0]["records"] == [], "\(after)")
            #expect(try ada.lookUp("A")["recordChangeTag"] == .string(tag))
        }

        @Test func withoutAtomicityEachOperationStandsAlone() throws {
            try ada.create("exists")
            let results = try ada.modify(
                [operation("create", "A"), operation("create", "exists"), operation("create", "B")], atomic: false)
            expectRecord(results[0], name: "A")
            expectItem(results[1], refusedWith: "EXISTS")
            expectRecord(results[2], name: "B")
            for record in try ada.lookUp(["A", "B"]) { expectRecord(record) }
        }

        @Test func theDefaultZoneIsNeverAtomic() throws {
            for database in [Database.private, .public] {
                try ada.create("exists", zone: nil, in: database)
                let results = try ada.modify(
                    [operation("create", "A"), operation("create", "exists")], zone: nil, atomic: true, in: database)
                expectRecord(results[0], name: "A")
                expectItem(results[1], refusedWith: "EXISTS")
                #expect(results[1]["reason"].string?.contains("atomic has no effect in the default zone") == true)
            }
        }

        @Test(arguments: [(true, "none"), (nil, "A"), (false, "A")])
        func aReasonMentionsAtomicOnlyWhereItMisleads(atomic: Bool?, other: String) throws {
            let results = try ada.modify(
                [operation("delete", "none2"), operation(other == "none" ? "delete" : "create", other)], zone: nil,
                atomic: atomic)
            expectItem(results[0], refusedWith: "NOT_FOUND")
            #expect(results[0]["reason"].string?.contains("atomic") == false)
        }

        @Test func eachZoneOfARequestIsAUnitOfItsOwn() throws {
            try ada.createZones("Other")
            try ada.create("exists")
            let results = try ada.modify([
                operation("create", "A"), operation("create", "B", zone: "Other"), operation("create", "exists"),
                operation("create", "C", zone: "Other"),
            ])
            expectItem(results[0], refusedWith: "ATOMIC_ERROR", name: "A")
            expectRecord(results[1], name: "B")
            expectItem(results[2], refusedWith: "EXISTS", name: "exists")
            expectRecord(results[3], name: "C")
            expectItem(try ada.lookUp("A"), refusedWith: "NOT_FOUND")
        }

        @Test(arguments: ["BAD_REQUEST", "CONFLICT", "VALIDATING_REFERENCE_ERROR", "NOT_FOUND"])
        func theCulpritKeepsItsOwnCode(code: String) throws {
            try ada.create("A", fields: ["n": ["value": 1]])
            let culprits: [String: JSON] = [
                "BAD_REQUEST": operation("forceUpdate", "A", fields: ["n": ["value": "a text"]]),
                "CONFLICT": operation("update", "A", tag: "zzzzzz"),
                "VALIDATING_REFERENCE_ERROR": operation("create", "D", fields: ["r": reference("E", "VALIDATE")]),
                "NOT_FOUND": operation("delete", "F"),
            ]
            let results = try ada.modify([operation("create", "B"), try #require(culprits[code])])
            expectItem(results[0], refusedWith: "ATOMIC_ERROR", name: "B")
            expectItem(results[1], refusedWith: code)
        }

        @Test("A record that references what the same request deletes is refused with that reason")
        func deletedTarget() throws {
            try ada.create("A")
            let results = try ada.modify([
                operation("delete", "A"), operation("create", "B", fields: ["r": reference("A", "VALIDATE")]),
            ])
            expectItem(results[0], refusedWith: "ATOMIC_ERROR", name: "A")
            expectItem(results[1], refusedWith: "VALIDATING_REFERENCE_ERROR", name: "B")
            let reason = "'A', which a reference with action VALIDATE needs, is deleted by the same request"
            #expect(results[1]["reason"] == .string("\(reason): keep it, or choose another target"))
        }
    }
}
