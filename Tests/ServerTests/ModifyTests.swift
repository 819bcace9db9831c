import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, M1 to M12.
    @Suite struct ModifyTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        // M4
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

        // M3
        @Test func aRecordWithoutANameGetsOne() throws {
            let records = try ada.modify([operation("create"), operation("create")])
            let names = records.compactMap(\.["recordName"].string)
            #expect(Set(names).count == 2)
            for name in names {
                #expect(name.wholeMatch(of: #/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#) != nil, "\(name)")
            }
        }

        // M4
        @Test(arguments: ["update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"])
        func onlyCreateMakesANameUp(type: String) throws {
            expectItem(try ada.modify(operation(type, tag: "1"), atomic: false), refusedWith: "BAD_REQUEST")
        }

        // M7
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

        // M10
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

        // E3
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

        // M5
        @Test func oneRecordMayOccurOnceInARequest() throws {
            let body: JSON = [
                "operations": [operation("create", "A"), operation("create", "B"), operation("forceDelete", "A")],
                "zoneID": ["zoneName": "Notes"],
            ]
            let response = try ada.post("records/modify", .private, body)
            try expectRefused(response, "BAD_REQUEST")
            for item in try ada.lookUp(["A", "B"]) { expectItem(item, refusedWith: "NOT_FOUND") }
        }

        // N4
        @Test func oneNameInTwoZonesIsTwoRecords() throws {
            try ada.createZones("Other")
            let results = try ada.modify(
                [operation("create", "A"), operation("create", "A", zone: "Other")])
            expectRecord(results[0], name: "A")
            expectRecord(results[1], name: "A")
            #expect(results[1]["zoneID"]["zoneName"] == "Other")
        }

        // J8
        @Test func twoHundredOperationsAreTheMost() throws {
            let operations = (0...200).map { operation("create", "R\($0)") }
            let many: JSON = ["operations": .array(operations), "zoneID": ["zoneName": "Notes"]]
            try expectRefused(try ada.post("records/modify", .private, many), "BAD_REQUEST")
            expectItem(try ada.lookUp("R0"), refusedWith: "NOT_FOUND")
            for record in try ada.modify(Array(operations.dropLast())) { expectRecord(record) }
            #expect(try ada.modify([]).isEmpty)
        }

        // X8
        @Test func aNephosClientMaySendFourHundredOperationsWhichOneZoneSavesTogether() throws {
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            let operations = (0...400).map { operation("create", "R\($0)") }
            let many: JSON = ["operations": .array(operations), "zoneID": ["zoneName": "Notes"]]
            let refused = try ada.post("records/modify", .private, many)
            try expectRefused(refused, "BAD_REQUEST")
            #expect(try refused.json["reason"].string?.contains("'operations' can have at most 400 elements") == true)
            let broken = Array(operations.prefix(399)) + [operation("update", "R400")]
            for item in try ada.modify(broken) {
                #expect(["ATOMIC_ERROR", "NOT_FOUND", "BAD_REQUEST"].contains(item["serverErrorCode"]), "\(item)")
            }
            expectItem(try ada.lookUp("R0"), refusedWith: "NOT_FOUND")
            for record in try ada.modify(Array(operations.dropLast())) { expectRecord(record) }
            // The other lists stay as they are.
            let names = (0...200).map { "R\($0)" }
            let looked: JSON = [
                "records": .array(names.map { ["recordName": .string($0)] }), "zoneID": ["zoneName": "Notes"],
            ]
            try expectRefused(try ada.post("records/lookup", .private, looked), "BAD_REQUEST")
        }

        // M2
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

        // M9
        @Test func replacingARecordKeepsItsParentUnlessToldOtherwise() throws {
            try ada.create("P")
            try ada.modify(operation("create", "C", fields: ["n": ["value": 1]], parent: ["recordName": "P"]))
            let kept = try ada.modify(operation("forceReplace", "C"))
            expectRecord(kept, name: "C", fields: [:])
            #expect(kept["parent"]["recordName"] == "P")
            #expect(try ada.modify(operation("forceReplace", "C", parent: nil))["parent"].isAbsent)
        }

        // G1
        @Test func whatIsRefusedFixesNoType() throws {
            try ada.create("exists")
            let number: JSON = ["f": ["value": 1]]
            try ada.modify([operation("create", "A", fields: number), operation("create", "exists")])
            try ada.modify(
                operation("create", "B", fields: ["f": ["value": 1], "r": reference("nobody", "VALIDATE")]))
            try ada.modify(operation("update", "nobody", tag: "1", fields: number))
            expectRecord(
                try ada.modify(operation("create", "C", fields: ["f": ["value": "text"], "r": ["value": 1]])),
                fields: ["f": ["value": "text", "type": "STRING"], "r": ["value": 1, "type": "INT64"]])
        }

        // P7
        @Test func aTokenForTheFeedComesAlongForThoseWhoAsk() throws {
            ada.query = ["getCurrentSyncToken=true"]
            let body: JSON = ["operations": [operation("create", "A")], "zoneID": ["zoneName": "Notes"]]
            let token = try ada.answer("records/modify", body)["syncToken"]
            #expect(token.string?.isEmpty == false)
            try ada.create("B")
            let feed = try ada.answer(
                "changes/zone", ["zones": [["zoneID": ["zoneName": "Notes"], "syncToken": token]]])
            #expect(feed["zones"][0]["records"].elements.map { $0["recordName"] } == ["B"], "\(feed)")
        }
    }

    /// docs/protocol.md, X1 and X2.
    @Suite struct ExtraKeyTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        // X1, X2
        @Test func aClientThatAsksForThemIsToldMoreOfAConflict() throws {
            let stale = try ada.create("A", fields: ["t": ["value": "first"]])
            let server = try ada.modify(operation("forceUpdate", "A", fields: ["t": ["value": "second"]]))
            let conflicting = [operation("update", "A", tag: stale, fields: ["t": ["value": "mine"]])]
            let plain = try ada.modify(conflicting, atomic: false)[0]
            #expect(plain["serverRecord"].isAbsent && plain["ckErrorCode"].isAbsent)
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            let told = try ada.modify(conflicting, atomic: false)[0]
            expectItem(told, refusedWith: "CONFLICT", name: "A")
            #expect(told["ckErrorCode"] == 14)
            #expect(told["serverRecord"] == server)
            let existing = try ada.modify(operation("create", "A"), atomic: false)
            #expect(existing["ckErrorCode"] == 14 && existing["serverRecord"] == server, "\(existing)")
        }

        // X1
        @Test func otherRefusalsAreNamedAsCloudKitNamesThem() throws {
            ada.headers.append(HTTPHeader("X-Nephos-Client", "1"))
            try ada.create("A")
            let results = try ada.modify(
                [
                    operation("create", "B", fields: ["r": reference("nobody", "VALIDATE")]),
                    operation("delete", "nobody"),
                ], atomic: false)
            #expect(results.map(\.["ckErrorCode"]) == [31, 11])
            let batch = try ada.modify([operation("create", "A"), operation("create", "C")])
            #expect(batch.map(\.["ckErrorCode"]) == [14, 22])
        }
    }
}
