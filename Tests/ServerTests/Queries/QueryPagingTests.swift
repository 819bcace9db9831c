import NephosTesting
import Testing

extension ServerTests {
    /// Pages, markers and zones: docs/protocol.md, "Requests".
    @Suite struct QueryPagingTests {
        private static let schema = ["Note", "Other"].map {
            TestContainer.recordType(
                $0,
                [
                    #""___recordID" REFERENCE QUERYABLE SORTABLE"#, "n INT64 QUERYABLE SORTABLE",
                    "ss LIST<STRING> QUERYABLE",
                ])
        }.joined()

        private let notes: Notes
        private let ada: CloudKitClient

        init() throws {
            notes = try Notes()
            ada = notes.ada
            try notes.container.importSchema(Self.schema)
        }

        private func page(_ body: JSON) throws -> JSON {
            var body = body
            body["query"] = body["query"].isAbsent ? ["recordType": "Note"] : body["query"]
            body["zoneID"] = body["zoneID"].isAbsent ? ["zoneName": "Notes"] : body["zoneID"]
            return try ada.answer("records/query", body)
        }

        // docs/protocol.md Q3, Q5, Q20
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

        // docs/protocol.md Q3, J9
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

        // docs/protocol.md Q5: after the end of the last page, no record is repeated or skipped.
        @Test(arguments: ["recordName", "n"], [true, false])
        func whatDoesNotChangeAppearsOnceWhileOthersCome(field: String, isLarge: Bool) throws {
            let kept = (0..<30).map { "K\($0)" }
            try ada.modify(
                kept.enumerated().map { operation("create", $1, fields: ["n": ["value": .int(Int64($0 % 5))]]) })
            if isLarge {
                for batch in 0..<2 {
                    try ada.modify((0..<100).map { operation("create", "x\(batch)-\($0)", type: "Other") })
                }
            }
            let query: JSON = ["recordType": "Note", "sortBy": ["fieldName": .string(field)]]
            var found: [String] = []
            var marker: JSON = .absent
            var round = 0
            repeat {
                let answer = try page(["query": query, "resultsLimit": 4, "continuationMarker": marker])
                found += answer["records"].elements.compactMap { $0["recordName"].string }
                marker = answer["continuationMarker"]
                // One record is added, an earlier one is removed.
                try ada.modify(operation("create", "A\(round)", fields: ["n": ["value": .int(Int64(round % 5))]]))
                if round > 0 { try ada.modify(operation("forceDelete", "A\(round - 1)")) }
                round += 1
            } while !marker.isAbsent
            #expect(found.filter { $0.hasPrefix("K") }.sorted() == kept.sorted())
        }

        // docs/protocol.md Q4
        @Test func aMarkerServesTheQueryItCameFromAndNoOther() throws {
            try ada.modify((0..<3).map { operation("create", "R\($0)", fields: ["n": ["value": .int(Int64($0))]]) })
            let query: JSON = [
                "recordType": "Note",
                "filterBy": [["fieldName": "n", "comparator": "LESS_THAN", "fieldValue": ["value": 9]]],
            ]
            let marker = try page(["query": query, "resultsLimit": 1])["continuationMarker"]
            #expect(try page(["query": query, "continuationMarker": marker])["records"].elements.count == 2)
            let sameInOtherWords: JSON = [
                "filterBy": [
                    "comparator": "LESS_THAN", "fieldValue": ["type": "INT64", "value": 9], "fieldName": "n",
                ],
                "recordType": "Note", "sortBy": [],
            ]
            let again = try page([
                "query": sameInOtherWords, "continuationMarker": marker, "resultsLimit": 1, "desiredKeys": [],
                "numbersAsStrings": true,
            ])
            #expect(again["records"][0]["recordName"] == "R1")

            func refused(_ client: CloudKitClient, _ body: JSON, in database: Database = .private) throws {
                let refusal = try expectRefused(try client.post("records/query", database, body), "BAD_REQUEST")
                #expect(refusal["reason"].string?.contains("ontinuation") == true, "\(refusal)")
            }
            let zone: JSON = ["zoneName": "Notes"]
            var other = query
            other["filterBy"] = [["fieldName": "n", "comparator": "LESS_THAN", "fieldValue": ["value": 8]]]
            try refused(ada, ["query": other, "zoneID": zone, "continuationMarker": marker])
            other = query
            other["sortBy"] = ["fieldName": "n"]
            try refused(ada, ["query": other, "zoneID": zone, "continuationMarker": marker])
            other = query
            other["recordType"] = "Other"
            try refused(ada, ["query": other, "zoneID": zone, "continuationMarker": marker])
            try refused(ada, ["query": query, "continuationMarker": marker])
            try refused(ada, ["query": query, "zoneWide": true, "continuationMarker": marker])
            try refused(ada, ["query": query, "continuationMarker": marker], in: .public)
            let grace = try notes.grace()
            try grace.createZones("Notes")
            try refused(grace, ["query": query, "zoneID": zone, "continuationMarker": marker])
            for wrong in ["AAAA", "hello", "", String((marker.string ?? "").dropLast(4))] {
                try refused(ada, ["query": query, "zoneID": zone, "continuationMarker": .string(wrong)])
            }
            let elsewhere = try Notes()
            try elsewhere.container.importSchema(Self.schema)
            try refused(elsewhere.ada, ["query": query, "zoneID": zone, "continuationMarker": marker])
        }

        // docs/protocol.md Q2
        @Test(arguments: [false, true]) func allZonesAreSearchedWhenNoneIsNamed(isLarge: Bool) throws {
            try ada.createZones("More")
            try ada.modify([operation("create", "b", fields: ["n": ["value": 2]])], zone: "Notes")
            try ada.modify([operation("create", "a", fields: ["n": ["value": 1]])], zone: "More")
            try ada.modify([operation("create", "a", fields: ["n": ["value": 3]])], zone: nil)
            if isLarge {
                for batch in 0..<2 {
                    try ada.modify(
                        (0..<110).map { operation("create", "x\(batch)-\($0)", type: "Other") }, zone: "More")
                }
            }
            func found(_ body: JSON) throws -> [String] {
                try ada.answer("records/query", body)["records"].elements.map {
                    "\($0["zoneID"]["zoneName"].string ?? "")/\($0["recordName"].string ?? "")"
                }
            }
            let all: JSON = ["recordType": "Note"]
            #expect(try found(["query": all]) == ["_defaultZone/a"])
            #expect(try found(["query": all, "zoneWide": false]) == ["_defaultZone/a"])
            #expect(try found(["query": all, "zoneWide": true]) == ["_defaultZone/a", "More/a", "Notes/b"])
            #expect(try found(["query": all, "zoneWide": true, "zoneID": ["zoneName": "Notes"]]) == ["Notes/b"])
            let falling: JSON = ["recordType": "Note", "sortBy": ["fieldName": "n", "ascending": false]]
            #expect(try found(["query": falling, "zoneWide": true]) == ["_defaultZone/a", "Notes/b", "More/a"])
            let names: JSON = [
                "recordType": "Note",
                "filterBy": [
                    "fieldName": "recordName", "comparator": "IN",
                    "fieldValue": ["value": ["a"], "type": "STRING_LIST"],
                ],
            ]
            #expect(try found(["query": names, "zoneWide": true]) == ["_defaultZone/a", "More/a"])
            for limit: Int64 in [1, 2] {
                #expect(try ada.queryAll(falling, page: limit, more: ["zoneWide": true]) == ["a", "b", "a"])
            }
            try ada.deleteZones("More")
            #expect(try found(["query": all, "zoneWide": true]) == ["_defaultZone/a", "Notes/b"])
        }

        // docs/protocol.md Q3: a page that examined 10,000 rows continues in the next one.
        @Test func aPageThatLooksAtTooMuchIsShortAndGoesOn() throws {
            for batch in 0..<2 {
                try ada.modify(
                    (0..<110).map { number in
                        let members = (0..<60).map { JSON.string("\(number)-\($0)") }
                        return operation(
                            "create", "R\(batch * 110 + number)",
                            fields: ["ss": ["value": .array(members)], "n": ["value": .int(Int64(number))]])
                    })
            }
            let query: JSON = [
                "recordType": "Note",
                "filterBy": [
                    [
                        "fieldName": "ss", "comparator": "NOT_LIST_MEMBER_BEGINS_WITH",
                        "fieldValue": ["value": "nothing"],
                    ],
                    ["fieldName": "ss", "comparator": "LIST_MEMBER_BEGINS_WITH", "fieldValue": ["value": ""]],
                ],
            ]
            #expect(try ada.queryAll(query).count == 220)
            #expect(try ada.queryAll(query, page: 50).count == 220)
        }

        // docs/protocol.md Q1
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
                            "filterBy": [["fieldName": "n", "comparator": "LIKE", "fieldValue": ["value": 1]]],
                        ]
                    ], "BAD_REQUEST"
                ),
            ]
            for (body, code) in bodies { try expectRefused(try ada.post("records/query", .private, body), code) }
        }

        // docs/protocol.md Q2, B11
        @Test func aZoneThatIsMissingIsToldBeforeWhatTheSchemaDoesNotPermit() throws {
            try ada.create("A")
            func filter(_ field: String) -> JSON {
                [["fieldName": .string(field), "comparator": "EQUALS", "fieldValue": ["value": 0]]]
            }
            let queries: [JSON] = [
                ["recordType": "Unheard"], ["recordType": "Note", "filterBy": filter("nothing")],
                ["recordType": "Note", "filterBy": filter("createdTimestamp")],
                ["recordType": "Note", "sortBy": [["fieldName": "createdTimestamp"]]],
            ]
            for query in queries {
                for (zone, code) in [("Nowhere", "ZONE_NOT_FOUND"), ("Notes", "BAD_REQUEST")] {
                    let place: JSON = ["zoneName": .string(zone)]
                    try expectRefused(
                        try ada.post("records/query", .private, ["query": query, "zoneID": place]), code)
                    // The sorts of a subscription are ignored.
                    guard query["sortBy"].isAbsent else { continue }
                    let subscription: JSON = [
                        "subscriptionType": "query", "query": query, "firesOn": ["create"], "zoneID": place,
                    ]
                    let subscribed = try ada.answer(
                        "subscriptions/modify",
                        ["operations": [["operationType": "create", "subscription": subscription]]])
                    #expect(subscribed["subscriptions"][0]["serverErrorCode"] == .string(code), "\(subscribed)")
                }
            }
        }

        @Test func anAnswerHoldsWhatWasAskedFor() throws {
            try ada.create("A", fields: ["n": ["value": 5], "ss": ["value": ["x"]]])
            let some = try page(["desiredKeys": ["n"], "numbersAsStrings": true])["records"][0]
            #expect(some["fields"] == ["n": ["value": "5", "type": "INT64"]])
            #expect(try page(["desiredKeys": []])["records"][0]["fields"] == [:])
            ada.query = ["getCurrentSyncToken=true"]
            #expect(try page([:])["syncToken"].string != nil)
            #expect(try page(["zoneID": ["zoneName": "_defaultZone"]])["syncToken"].isAbsent)
            #expect(
                try ada.answer("records/query", ["query": ["recordType": "Note"], "zoneWide": true])["syncToken"]
                    .isAbsent)
        }
    }
}
