import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, F1 to F11.
    @Suite struct FieldTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        // F2
        @Test func theFirstSaveFixesTheTypeOfAField() throws {
            try ada.create("A", fields: ["f": ["value": 1]])
            let wrong: [JSON] = [
                ["value": "x"], ["value": 1.5], ["value": 1, "type": "DOUBLE"], ["value": [1]],
                ["value": 1, "type": "TIMESTAMP"], ["value": [], "type": "INT64_LIST"],
            ]
            for field in wrong {
                let item = try ada.modify(operation("create", "B", fields: ["f": field]), atomic: false)
                expectItem(item, refusedWith: "BAD_REQUEST")
                #expect(item["reason"].string?.contains("f") == true, "\(item)")
            }
            // Another type has its own fields, also in another zone and for another user.
            expectRecord(
                try ada.modify(operation("create", "C", type: "Other", fields: ["f": ["value": "x"]])), type: "Other")
        }

        // F1
        @Test func aValueIsReadAsTheTypeThatTheSchemaHas() throws {
            try ada.create(
                "A",
                fields: [
                    "d": ["value": 0.5, "type": "DOUBLE"], "t": ["value": 0, "type": "TIMESTAMP"],
                    "b": ["value": "", "type": "BYTES"], "l": ["value": [0.5], "type": "DOUBLE_LIST"],
                ])
            let saved = try ada.modify(
                operation(
                    "create", "B",
                    fields: ["d": ["value": 3], "t": ["value": 5], "b": ["value": "AA=="], "l": ["value": [1]]]))
            expectRecord(saved, name: "B")
            let tags = ["d", "t", "b", "l"].map { saved["fields"][$0]["type"].string }
            #expect(tags == ["DOUBLE", "TIMESTAMP", "BYTES", "DOUBLE_LIST"])
        }

        // F1
        @Test func anEmptyListOfUnknownTypeFixesNothing() throws {
            let saved = try ada.modify(operation("create", "A", fields: ["f": ["value": []]]))
            #expect(saved["fields"]["f"] == ["value": [], "type": "UNKNOWN_LIST"], "\(saved)")
            expectRecord(try ada.modify(operation("create", "B", fields: ["f": ["value": ["x"]]])))
            let read = try ada.modify(operation("create", "C", fields: ["f": ["value": []]]))
            #expect(read["fields"]["f"] == ["value": [], "type": "STRING_LIST"], "\(read)")
        }

        static let removals: [JSON] = [["value": nil], [:], ["type": "STRING"], nil, ["value": nil, "type": "STRING"]]

        // F3
        @Test(arguments: removals) func everySpellingRemovesAField(removal: JSON) throws {
            let fields: JSON = ["f": ["value": "x"], "g": ["value": "y"]]
            let kept: JSON = ["g": ["value": "y", "type": "STRING"]]
            let tag = try ada.create("update", fields: fields)
            expectRecord(try ada.modify(operation("update", "update", tag: tag, fields: ["f": removal])), fields: kept)
            try ada.create("force", fields: fields)
            expectRecord(try ada.modify(operation("forceUpdate", "force", fields: ["f": removal])), fields: kept)
            let replaced = try ada.create("replace", fields: fields)
            let both: JSON = ["f": removal, "g": ["value": "y"]]
            expectRecord(try ada.modify(operation("replace", "replace", tag: replaced, fields: both)), fields: kept)
            expectRecord(try ada.modify(operation("create", "create", fields: both)), fields: kept)
            for record in try ada.lookUp(["update", "force", "replace", "create"]) {
                expectRecord(record, fields: kept)
            }
        }

        @Test func removingAFieldThatIsNotThereChangesNothingElse() throws {
            try ada.create("A", fields: ["g": ["value": "y"]])
            expectRecord(
                try ada.modify(operation("forceUpdate", "A", fields: ["f": nil, "never": ["value": nil]])),
                fields: ["g": ["value": "y", "type": "STRING"]])
        }

        // F10
        @Test func anEncryptedValueComesBackMarked() throws {
            let values: [(String, JSON)] = [
                ("STRING", "hush"), ("INT64", 7), ("DOUBLE", 0.5), ("TIMESTAMP", 5), ("BYTES", "AA=="),
                ("LOCATION", ["latitude": 0.5, "longitude": 0.5]), ("STRING_LIST", ["a", "b"]),
            ]
            for (tag, value) in values {
                let field: JSON = ["value": value, "type": .string(tag), "isEncrypted": true]
                let saved = try ada.modify(operation("create", tag, fields: [tag: field]))
                expectRecord(saved, name: tag, fields: [tag: field])
                expectRecord(try ada.lookUp(tag), fields: [tag: field])
            }
            // The schema declares the field encrypted; the flag is optional.
            let unflagged = try ada.modify(operation("create", "unflagged", fields: ["STRING": ["value": "x"]]))
            expectRecord(unflagged, fields: ["STRING": ["value": "x", "type": "STRING", "isEncrypted": true]])
            try ada.create("A", fields: ["open": ["value": "x"]])
            expectItem(
                try ada.modify(
                    operation("create", "B", fields: ["open": ["value": "x", "isEncrypted": true]]), atomic: false),
                refusedWith: "BAD_REQUEST")
        }

        // F7
        @Test func ofALocationOnlyWhatIsKnownComesBack() throws {
            let saved = try ada.modify(
                operation(
                    "create", "A",
                    fields: ["f": ["value": ["latitude": 1, "longitude": 2, "floor": 3, "altitude": nil]]]))
            #expect(saved["fields"]["f"]["value"].names == ["latitude", "longitude"], "\(saved)")
        }

        // F4, N3
        @Test(arguments: ["", "1a", "_a", "a b", "a-b", "é", "___recordID"])
        func aBadFieldNameIsRefused(name: String) throws {
            let fields: JSON = ["\(name)": ["value": 1]]
            expectItem(
                try ada.modify(operation("create", "A", fields: fields), atomic: false), refusedWith: "BAD_REQUEST")
        }

        // F10
        @Test func thePublicDatabaseKeepsNoEncryptedValues() throws {
            let fields: JSON = ["secret": ["value": "x", "type": "STRING", "isEncrypted": true]]
            expectItem(
                try ada.modify(operation("create", "A", fields: fields), zone: nil, in: .public),
                refusedWith: "BAD_REQUEST")
        }

        // F4, Limits
        @Test func aRecordHasAtMost512FieldsAndOneMegabyte() throws {
            func fields(_ count: Int) -> JSON {
                .object((0..<count).map { JSON.Member("f\($0)", ["value": .int(Int64($0))]) })
            }
            expectRecord(try ada.modify(operation("create", "A", fields: fields(512))))
            expectItem(
                try ada.modify(operation("create", "B", type: "Wide", fields: fields(513))), refusedWith: "BAD_REQUEST")
            let text = String(repeating: "x", count: 1_000_000)
            expectRecord(
                try ada.modify(operation("create", "C", type: "Big", fields: ["t": ["value": .string(text)]])),
                type: "Big")
            let more = text + String(repeating: "x", count: 60_000)
            expectItem(
                try ada.modify(operation("create", "D", type: "Big", fields: ["t": ["value": .string(more)]])),
                refusedWith: "BAD_REQUEST")
        }

        // G2
        @Test func aProductionSchemaDoesNotGrow() throws {
            let user = try Notes(environment: "production").ada
            expectItem(
                try user.modify(operation("create", "A", fields: ["f": ["value": 1]]), atomic: false),
                refusedWith: "BAD_REQUEST")
        }
    }

    /// docs/protocol.md, "Canonical form".
    @Suite struct AnswerShapeTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        private let fields: JSON = [
            "i": ["value": .int(1 << 53 + 1)], "d": ["value": 0.5], "t": ["value": 5, "type": "TIMESTAMP"],
            "s": ["value": "x"], "l": ["value": [1, 2]],
        ]

        @Test func numbersComeAsStringsForThoseWhoAsk() throws {
            let asked: JSON = ["numbersAsStrings": true]
            let saved = try ada.modify(operation("create", "A", fields: fields), with: asked)
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"], "numbersAsStrings": true]]]
            let otherFeed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"], "numberAsStrings": true]]]
            let answers = [
                saved, try ada.lookUp("A", with: asked), try ada.answer("changes/zone", feed)["zones"][0]["records"][0],
                try ada.answer("changes/zone", otherFeed)["zones"][0]["records"][0],
            ]
            for record in answers {
                let fields = record["fields"]
                #expect(fields["i"] == ["value": "9007199254740993", "type": "INT64"], "\(record)")
                #expect(fields["d"] == ["value": "0.5", "type": "DOUBLE"])
                #expect(fields["t"] == ["value": "5", "type": "TIMESTAMP"])
                #expect(fields["l"] == ["value": ["1", "2"], "type": "INT64_LIST"])
                #expect(fields["s"] == ["value": "x", "type": "STRING"])
            }
            #expect(try ada.lookUp("A")["fields"]["i"]["value"] == .int(1 << 53 + 1))
        }

        @Test func desiredKeysLimitTheFieldsAndNothingElse() throws {
            for keys in [["s"], ["i", "s", "unheard"], []] as [[String]] {
                let asked: JSON = ["desiredKeys": .array(keys.map { .string($0) })]
                let saved = try ada.modify(operation("forceUpdate", "A", fields: fields), with: asked)
                let feed: JSON = [
                    "zones": [["zoneID": ["zoneName": "Notes"], "desiredKeys": asked["desiredKeys"]]]
                ]
                let answers = [
                    saved, try ada.lookUp("A", with: asked),
                    try ada.answer("changes/zone", feed)["zones"][0]["records"][0],
                ]
                for record in answers {
                    expectRecord(record, name: "A")
                    #expect(record["fields"].names == keys.filter { $0 != "unheard" }.sorted(), "\(record)")
                }
            }
            #expect(try ada.lookUp("A")["fields"].names.count == 5)
        }

        @Test func anEntrysOwnKeysWin() throws {
            try ada.create("A", fields: fields)
            let body: JSON = [
                "zoneID": ["zoneName": "Notes"], "desiredKeys": ["i"],
                "records": [["recordName": "A", "desiredKeys": ["s"]]],
            ]
            #expect(try ada.answer("records/lookup", body)["records"][0]["fields"].names == ["s"])
            var one = operation("forceUpdate", "A")
            one["desiredKeys"] = ["d"]
            one["numbersAsStrings"] = true
            let saved = try ada.modify(one)
            #expect(saved["fields"] == ["d": ["value": "0.5", "type": "DOUBLE"]], "\(saved)")
        }
    }
}
