import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, "Saving and deleting records".
    @Suite struct ModifyTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        /// What one operation meets, and what must come of it.
        struct Case: CustomTestStringConvertible, Sendable {
            enum Meets: String, CaseIterable {
                case existing = "an existing record, tag current", missing = "no record"
                case stale = "an existing record, tag stale", untagged = "an existing record, no tag"
                case otherType = "an existing record of another type, tag current"
            }

            enum Outcome: Sendable {
                case merged, replaced, created, deleted
                case refused(String)
            }

            var type: String
            var meets: Meets
            var outcome: Outcome
            var testDescription: String { "\(type) meets \(meets.rawValue)" }
        }

        static let cases: [Case] = [
            ("create", [.refused("EXISTS"), .created, .refused("EXISTS"), .refused("EXISTS"), .refused("EXISTS")]),
            (
                "update",
                [
                    .merged, .refused("NOT_FOUND"), .refused("CONFLICT"), .refused("BAD_REQUEST"),
                    .refused("BAD_REQUEST"),
                ]
            ),
            ("forceUpdate", [.merged, .created, .merged, .merged, .refused("BAD_REQUEST")]),
            (
                "replace",
                [
                    .replaced, .refused("NOT_FOUND"), .refused("CONFLICT"), .refused("BAD_REQUEST"),
                    .refused("BAD_REQUEST"),
                ]
            ),
            ("forceReplace", [.replaced, .created, .replaced, .replaced, .refused("BAD_REQUEST")]),
            ("delete", [.deleted, .refused("NOT_FOUND"), .refused("CONFLICT"), .deleted, .deleted]),
            ("forceDelete", [.deleted, .deleted, .deleted, .deleted, .deleted]),
        ].flatMap { (type: String, outcomes: [Case.Outcome]) in
            zip(Case.Meets.allCases, outcomes).map { Case(type: type, meets: $0, outcome: $1) }
        }

        @Test(arguments: cases) func operationMeets(_ test: Case) throws {
            let kept: JSON = ["value": "kept", "type": "STRING"]
            let before: JSON = ["a": kept, "b": ["value": 1, "type": "INT64"]]
            var tag: String?
            if test.meets != .missing {
                let first = try ada.create("R", fields: ["a": ["value": "first"], "b": ["value": 1]])
                tag = try ada.modify(operation("update", "R", tag: first, fields: ["a": kept]))["recordChangeTag"]
                    .string
                if test.meets == .stale { tag = first }
                if test.meets == .untagged { tag = nil }
            }
            let type = test.meets == .otherType ? "Other" : "Note"
            let now = test.meets == .missing ? "" : try ada.lookUp("R")["recordChangeTag"].string

            let result = try ada.modify(
                operation(test.type, "R", type: type, tag: tag, fields: ["b": ["value": 2]]), atomic: false)

            let changed: JSON = ["value": 2, "type": "INT64"]
            let read = try ada.lookUp("R")
            switch test.outcome {
            case .merged, .replaced, .created:
                var fields: JSON = ["b": changed]
                if case .merged = test.outcome { fields["a"] = kept }
                expectRecord(result, name: "R", fields: fields)
                #expect(read == result)
                #expect(read["recordChangeTag"].string != now)
            case .deleted:
                #expect(result == ["recordName": "R", "deleted": true])
                expectItem(read, refusedWith: "NOT_FOUND", name: "R")
            case .refused(let code):
                expectItem(result, refusedWith: code, name: "R")
                if test.meets == .missing {
                    expectItem(read, refusedWith: "NOT_FOUND", name: "R")
                } else {
                    expectRecord(read, name: "R", fields: before)
                    #expect(read["recordChangeTag"].string == now, "a refused operation changed the tag")
                }
            }
        }

        @Test func aForcedSaveTakesTheTypeFromTheRecordThatIsThere() throws {
            try ada.create("R", fields: ["a": ["value": 1]])
            for type in ["forceUpdate", "forceReplace"] {
                let saved = try ada.modify(operation(type, "R", type: nil, fields: ["a": ["value": 2]]))
                expectRecord(saved, name: "R", fields: ["a": ["value": 2, "type": "INT64"]])
                expectItem(
                    try ada.modify(operation(type, "S", type: nil), atomic: false), refusedWith: "BAD_REQUEST")
            }
            expectItem(
                try ada.modify(operation("create", "T", type: nil), atomic: false), refusedWith: "BAD_REQUEST")
        }

        @Test func aRecordWithoutANameGetsOne() throws {
            let records = try ada.modify([operation("create"), operation("create")])
            let names = records.compactMap(\.["recordName"].string)
            #expect(Set(names).count == 2)
            for name in names {
                #expect(name.wholeMatch(of: #/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#) != nil, "\(name)")
            }
        }

        @Test func changeTagsNeverRepeatForAName() throws {
            var tags: [String] = []
            for round in 0..<10 {
                var tag = try ada.create("R")
                tags.append(tag)
                for step in 0..<3 {
                    let fields: JSON = ["n": ["value": .int(Int64(round * 10 + step))]]
                    tag = try #require(
                        try ada.modify(operation("update", "R", tag: tag, fields: fields))["recordChangeTag"].string)
                    tags.append(tag)
                }
                try ada.modify(operation("delete", "R", tag: tag))
            }
            #expect(Set(tags).count == tags.count)
        }

        @Test func timesAndUsersOfARecordSayWhoMadeAndChangedIt() throws {
            let made = try ada.modify(operation("create", "R"))
            let changed = try ada.modify(
                operation("update", "R", tag: made["recordChangeTag"].string, fields: ["a": ["value": 1]]))
            #expect(changed["created"] == made["created"])
            let times = [made, changed].compactMap { $0["modified"]["timestamp"].int64 }
            #expect(times.count == 2 && times[0] <= times[1] && times[0] > 1_700_000_000_000)
            let caller = try ada.answer("users/caller", in: .public)["userRecordName"]
            #expect(changed["modified"]["userRecordName"] == caller)
        }

        @Test func resultsStandInTheOrderOfTheOperations() throws {
            let tag = try ada.create("B")
            let results = try ada.modify(
                [
                    operation("create", "A"), operation("create", "B"), operation("update", "nobody", tag: "1"),
                    operation("delete", "B", tag: tag), operation("forceDelete", "nobody either"),
                    operation("forceUpdate", "C"),
                ].filter { $0["operationType"] != "create" || $0["record"]["recordName"] != "B" }, atomic: false)
            expectRecord(results[0], name: "A")
            expectItem(results[1], refusedWith: "NOT_FOUND", name: "nobody")
            #expect(results[2] == ["recordName": "B", "deleted": true])
            #expect(results[3] == ["recordName": "nobody either", "deleted": true])
            expectRecord(results[4], name: "C")
        }

        @Test func oneRecordMayOccurOnceInARequest() throws {
            let body: JSON = [
                "operations": [operation("create", "A"), operation("create", "B"), operation("forceDelete", "A")],
                "zoneID": ["zoneName": "Notes"],
            ]
            let response = try ada.post("records/modify", .private, body)
            try expectRefused(response, "BAD_REQUEST")
            for item in try ada.lookUp(["A", "B"]) { expectItem(item, refusedWith: "NOT_FOUND") }
        }

        @Test func oneNameInTwoZonesIsTwoRecords() throws {
            try ada.createZones("Other")
            let results = try ada.modify(
                [operation("create", "A"), operation("create", "A", zone: "Other")])
            expectRecord(results[0], name: "A")
            expectRecord(results[1], name: "A")
            #expect(results[1]["zoneID"]["zoneName"] == "Other")
        }

        @Test func twoHundredOperationsAreTheMost() throws {
            let operations = (0...200).map { operation("create", "R\($0)") }
            let many: JSON = ["operations": .array(operations), "zoneID": ["zoneName": "Notes"]]
            try expectRefused(try ada.post("records/modify", .private, many), "BAD_REQUEST")
            expectItem(try ada.lookUp("R0"), refusedWith: "NOT_FOUND")
            for record in try ada.modify(Array(operations.dropLast())) { expectRecord(record) }
            #expect(try ada.modify([]).isEmpty)
        }

        @Test func aZoneThatIsMissingIsToldWhereItWasNamed() throws {
            let whole: JSON = ["operations": [operation("create", "A")], "zoneID": ["zoneName": "Nowhere"]]
            try expectRefused(try ada.post("records/modify", .private, whole), "ZONE_NOT_FOUND")
            let results = try ada.modify([operation("create", "A"), operation("create", "B", zone: "Nowhere")])
            expectRecord(results[0], name: "A")
            expectItem(results[1], refusedWith: "ZONE_NOT_FOUND", name: "B")
        }

        @Test func withoutAZoneTheDefaultZoneIsMeant() throws {
            let saved = try ada.modify(operation("create", "A"), zone: nil)
            #expect(saved["zoneID"]["zoneName"] == "_defaultZone")
            #expect(saved["zoneID"]["zoneType"] == "DEFAULT_ZONE")
            expectRecord(try ada.lookUp("A", zone: "_defaultZone"), name: "A")
            expectItem(try ada.lookUp("A"), refusedWith: "NOT_FOUND")
        }
    }

    /// docs/protocol.md, "Extra keys".
    @Suite struct ExtraKeyTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        @Test func aClientThatAsksForThemIsToldMoreOfAConflict() throws {
            let stale = try ada.create("A", fields: ["t": ["value": "first"]])
            let server = try ada.modify(operation("forceUpdate", "A", fields: ["t": ["value": "second"]]))
            let conflicting = [operation("update", "A", tag: stale, fields: ["t": ["value": "mine"]])]
            let plain = try ada.modify(conflicting, atomic: false)[0]
            #expect(plain["serverRecord"].isAbsent && plain["ckErrorCode"].isAbsent)
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            let told = try ada.modify(conflicting, atomic: false)[0]
            expectItem(told, refusedWith: "CONFLICT", name: "A")
            #expect(told["ckErrorCode"] == "SERVER_RECORD_CHANGED")
            #expect(told["serverRecord"] == server)
        }

        @Test func otherRefusalsAreNamedAsCloudKitNamesThem() throws {
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            try ada.create("A")
            let results = try ada.modify(
                [
                    operation("create", "B", fields: ["r": reference("nobody", "VALIDATE")]),
                    operation("delete", "nobody"),
                ], atomic: false)
            #expect(results.map(\.["ckErrorCode"]) == ["REFERENCE_VIOLATION", "UNKNOWN_ITEM"])
            let batch = try ada.modify([operation("create", "A"), operation("create", "C")])
            #expect(batch[1]["ckErrorCode"] == "BATCH_REQUEST_FAILED")
        }
    }
}
