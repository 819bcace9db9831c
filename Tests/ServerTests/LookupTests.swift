import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, E3, M2 and Limits, for records/lookup.
    @Suite struct LookupTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        @Test func resultsStandInTheOrderOfTheNames() throws {
            try ada.modify(["A", "B", "C"].map { operation("create", $0) })
            let names = ["C", "missing", "A", "C", "B"]
            let results = try ada.lookUp(names)
            #expect(results.map(\.["recordName"].string) == names)
            expectItem(results[1], refusedWith: "NOT_FOUND", name: "missing")
            #expect(results[0] == results[3])
        }

        @Test func twoHundredNamesAreTheMost() throws {
            let names = (0...200).map { "R\($0)" }
            #expect(try ada.lookUp(Array(names.dropLast())).count == 200)
            let body: JSON = [
                "records": .array(names.map { ["recordName": .string($0)] }), "zoneID": ["zoneName": "Notes"],
            ]
            try expectRefused(try ada.post("records/lookup", .private, body), "BAD_REQUEST")
            #expect(try ada.lookUp([]).isEmpty)
        }

        @Test func aMissingZoneIsToldForTheWholeRequest() throws {
            let body: JSON = ["records": [["recordName": "A"]], "zoneID": ["zoneName": "Nowhere"]]
            try expectRefused(try ada.post("records/lookup", .private, body), "ZONE_NOT_FOUND")
        }

        @Test func onePersonsRecordsAreNobodyElses() throws {
            let notes = try Notes()
            try notes.ada.create("A")
            let grace = try notes.grace()
            let body: JSON = ["records": [["recordName": "A"]], "zoneID": ["zoneName": "Notes"]]
            try expectRefused(try grace.post("records/lookup", .private, body), "ZONE_NOT_FOUND")
            let owner = try notes.ada.lookUp("A")["zoneID"]["ownerRecordName"]
            let named: JSON = [
                "records": [["recordName": "A"]], "zoneID": ["zoneName": "Notes", "ownerRecordName": owner],
            ]
            try expectRefused(try grace.post("records/lookup", .private, named), "ZONE_NOT_FOUND")
            try expectSuccess(try notes.ada.post("records/lookup", .private, named))
        }

        @Test func theOwnerMayBeNamedByAlias() throws {
            try ada.create("A")
            for alias in ["_defaultOwner", "__defaultOwner__"] {
                let body: JSON = [
                    "records": [["recordName": "A"]],
                    "zoneID": ["zoneName": "Notes", "ownerRecordName": .string(alias)],
                ]
                expectRecord(try ada.answer("records/lookup", body)["records"][0], name: "A")
            }
        }
    }

    /// docs/protocol.md, Q1 to Q4.
    @Suite struct QueryTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        private func page(_ body: JSON) throws -> JSON {
            var body = body
            body["query"] = body["query"].isAbsent ? ["recordType": "Note"] : body["query"]
            body["zoneID"] = ["zoneName": "Notes"]
            return try ada.answer("records/query", body)
        }

        @Test func pagesFollowEachOtherByMarkerInTheOrderOfNames() throws {
            let names = (0..<25).map { "R\($0)" }.sorted()
            try ada.modify(names.shuffled().map { operation("create", $0, fields: ["n": ["value": 1]]) })
            try ada.create("Z")
            try ada.modify(operation("create", "other", type: "Other"))
            for limit in [1, 7, 26, 200] {
                var found: [String] = []
                var marker: JSON = .absent
                repeat {
                    let page = try page(["resultsLimit": .int(Int64(limit)), "continuationMarker": marker])
                    #expect(page["records"].elements.count <= limit)
                    for record in page["records"].elements { expectRecord(record) }
                    found += page["records"].elements.compactMap { $0["recordName"].string }
                    marker = page["continuationMarker"]
                    #expect(marker != "" && marker != .null)
                } while !marker.isAbsent
                #expect(found == names + ["Z"], "in pages of \(limit)")
            }
        }

        @Test func twoHundredRecordsAreTheMostInAPage() throws {
            for batch in 0..<2 {
                try ada.modify((0..<110).map { operation("create", "R\(batch * 110 + $0)") })
            }
            for limit in [JSON.absent, 200, 400] {
                let first = try page(["resultsLimit": limit])
                #expect(first["records"].elements.count == 200)
                #expect(first["continuationMarker"].string != nil)
            }
            for limit in [0, -1] as [JSON] {
                let body: JSON = ["query": ["recordType": "Note"], "resultsLimit": limit]
                try expectRefused(try ada.post("records/query", .private, body), "BAD_REQUEST")
            }
        }

        @Test(arguments: ["fieldName", "systemFieldName"], ["recordName", "___recordID"])
        func recordsAreFoundByName(key: String, spelling: String) throws {
            try ada.modify(["A", "B", "C"].map { operation("create", $0) })
            let filters: [(JSON, JSON, [String])] = [
                ("EQUALS", ["value": "B", "type": "STRING"], ["B"]),
                ("EQUALS", ["value": ["recordName": "B"], "type": "REFERENCE"], ["B"]),
                ("IN", ["value": ["C", "A", "nobody"], "type": "STRING_LIST"], ["A", "C"]),
                ("EQUALS", ["value": "nobody", "type": "STRING"], []),
            ]
            for (comparator, value, names) in filters {
                let filter: JSON = [
                    "comparator": comparator, "fieldValue": value, "\(key)": .string(spelling),
                ]
                for filterBy in [filter, .array([filter])] {
                    let found = try page(["query": ["recordType": "Note", "filterBy": filterBy]])["records"]
                    #expect(found.elements.compactMap { $0["recordName"].string } == names, "\(filter)")
                }
            }
        }

        @Test func aMarkerIsGoodForItsOwnQueryOnly() throws {
            try ada.modify((0..<3).map { operation("create", "R\($0)") })
            try ada.modify((0..<3).map { operation("create", "O\($0)", type: "Other") })
            let marker = try page(["resultsLimit": 1])["continuationMarker"]
            for wrong in ["x", "AAAA", ""] as [JSON] {
                let body: JSON = [
                    "query": ["recordType": "Note"], "zoneID": ["zoneName": "Notes"], "continuationMarker": wrong,
                ]
                try expectRefused(try ada.post("records/query", .private, body), "BAD_REQUEST")
            }
            let other: JSON = [
                "query": ["recordType": "Other"], "zoneID": ["zoneName": "Notes"], "continuationMarker": marker,
            ]
            try expectRefused(try ada.post("records/query", .private, other), "BAD_REQUEST")
        }

        @Test func aQueryThatCannotBeAnsweredIsRefused() throws {
            try ada.create("A")
            let bodies: [(JSON, String)] = [
                ([:], "BAD_REQUEST"), (["query": [:]], "BAD_REQUEST"), (["query": ["recordType": 1]], "BAD_REQUEST"),
                (["query": ["recordType": "Unheard"], "zoneID": ["zoneName": "Notes"]], "BAD_REQUEST"),
                (["query": ["recordType": "Note"], "zoneID": ["zoneName": "Nowhere"]], "ZONE_NOT_FOUND"),
                (
                    [
                        "query": [
                            "recordType": "Note",
                            "filterBy": [["fieldName": "a", "comparator": "ABOUT", "fieldValue": ["value": 1]]],
                        ]
                    ], "BAD_REQUEST"
                ),
            ]
            for (body, code) in bodies { try expectRefused(try ada.post("records/query", .private, body), code) }
        }
    }
}
