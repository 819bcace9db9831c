import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, "Field values".
    @Suite struct FieldTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes().ada }

        /// A value of a type, as it is sent and as it must come back.
        struct Value: CustomTestStringConvertible, Sendable {
            var tag: String
            var sent: JSON
            /// Nil: as sent.
            var answered: JSON?
            /// Whether the type can be told from the value alone.
            var isPlain = true
            var testDescription: String { "\(tag) \(sent.description.prefix(60))" }
        }

        static let values: [Value] = [
            Value(tag: "STRING", sent: "words"), Value(tag: "STRING", sent: ""),
            Value(tag: "STRING", sent: "\" \\ / \u{8}\u{C}\n\r\t\u{1F} \u{E9} e\u{301} 🦄\u{10FFFF}"),
            Value(tag: "INT64", sent: 0), Value(tag: "INT64", sent: .int(.max)), Value(tag: "INT64", sent: .int(.min)),
            Value(tag: "INT64", sent: .int(1 << 53 + 1)), Value(tag: "INT64", sent: true, answered: 1),
            Value(tag: "INT64", sent: false, answered: 0),
            Value(tag: "INT64", sent: "-9223372036854775808", answered: .int(.min), isPlain: false),
            Value(tag: "DOUBLE", sent: 0.5), Value(tag: "DOUBLE", sent: .number("1e-320")),
            Value(tag: "DOUBLE", sent: .number("1.7976931348623157e308")),
            Value(tag: "DOUBLE", sent: .number("-0.5E+2")),
            Value(tag: "DOUBLE", sent: 3, isPlain: false), Value(tag: "DOUBLE", sent: .number("-0.0"), isPlain: false),
            Value(tag: "DOUBLE", sent: "2.5", answered: 2.5, isPlain: false),
            Value(tag: "TIMESTAMP", sent: 1_735_689_600_000, isPlain: false),
            Value(tag: "TIMESTAMP", sent: -1, isPlain: false),
            Value(tag: "TIMESTAMP", sent: "1735689600000", answered: 1_735_689_600_000, isPlain: false),
            Value(tag: "BYTES", sent: "AAEC/w==", isPlain: false), Value(tag: "BYTES", sent: "", isPlain: false),
            Value(tag: "LOCATION", sent: ["latitude": 52.5, "longitude": -180.0]),
            Value(
                tag: "LOCATION",
                sent: [
                    "latitude": -90.0, "longitude": 180.0, "horizontalAccuracy": 5.5, "verticalAccuracy": 1.5,
                    "altitude": -430.5, "speed": 0.5, "course": 359.5, "timestamp": 1_735_689_600_123,
                ]),
            Value(
                tag: "REFERENCE", sent: ["recordName": "x", "action": "NONE"],
                answered: ["recordName": "x", "action": "NONE"]),
            Value(tag: "STRING_LIST", sent: ["", "a", "a"]), Value(tag: "INT64_LIST", sent: [1, .int(.max)]),
            Value(tag: "DOUBLE_LIST", sent: [0.5, 1.5]), Value(tag: "DOUBLE_LIST", sent: [1, 1.5], isPlain: false),
            Value(tag: "TIMESTAMP_LIST", sent: [0, 1], isPlain: false),
            Value(tag: "BYTES_LIST", sent: ["AA==", ""], isPlain: false),
            Value(tag: "LOCATION_LIST", sent: [["latitude": 0.5, "longitude": 0.5]]),
            Value(tag: "REFERENCE_LIST", sent: [["recordName": "x", "action": "NONE"]]),
            Value(tag: "STRING_LIST", sent: [], isPlain: false), Value(tag: "LOCATION_LIST", sent: [], isPlain: false),
        ]

        @Test(arguments: values) func aValueComesBackAsItWasSent(_ value: Value) throws {
            // By its tag, then by the schema that the tag has fixed, and by the value alone where that is enough.
            let tagged: JSON = ["value": value.sent, "type": .string(value.tag)]
            let bare: JSON = ["value": value.sent]
            var operations = [
                operation("create", "tag", fields: ["f": tagged]), operation("create", "schema", fields: ["f": bare]),
            ]
            if value.isPlain { operations.append(operation("create", "alone", fields: ["g": bare])) }
            for saved in try ada.modify(operations) {
                expectRecord(saved)
                let name = try #require(saved["recordName"].string)
                let field = name == "alone" ? "g" : "f"
                for record in [saved, try ada.lookUp(name)] {
                    let answer = record["fields"][field]
                    #expect(answer["type"] == .string(value.tag), "\(name): \(record)")
                    #expect(same(answer["value"], value.answered ?? value.sent), "\(name): \(record)")
                    #expect(answer["isEncrypted"].isAbsent)
                }
            }
        }

        /// Equal, numbers as what they mean; references may say more than was sent.
        private func same(_ answered: JSON, _ expected: JSON) -> Bool {
            switch (answered, expected) {
            case (.number(let a), .number(let b)):
                if let a = Int64(a), let b = Int64(b) { return a == b }
                return Double(a)?.bitPattern == Double(b)?.bitPattern
            case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy(same)
            case (.object, .object(let members)): return members.allSatisfy { same(answered[$0.name], $0.value) }
            default: return answered == expected
            }
        }

        @Test(arguments: [
            ("INT64", "9223372036854775808"), ("INT64", "-9223372036854775809"), ("INT64", "1.5"), ("INT64", "\"x\""),
            ("INT64", "[]"), ("INT64", "{}"), ("DOUBLE", "1e400"), ("DOUBLE", "\"nan\""), ("DOUBLE", "\"\""),
            ("TIMESTAMP", "1.5"), ("TIMESTAMP", "\"tomorrow\""), ("STRING", "1"), ("STRING", "[\"a\"]"),
            ("BYTES", "\"A\""), ("BYTES", "\"A===\""), ("BYTES", "\"*AAA\""), ("BYTES", "1"),
            ("LOCATION", "{}"), ("LOCATION", #"{"latitude":1}"#), ("LOCATION", #"{"latitude":"x","longitude":1}"#),
            ("LOCATION", "[1,2]"), ("REFERENCE", "{}"), ("REFERENCE", #"{"recordName":1}"#), ("REFERENCE", "\"A\""),
            ("REFERENCE", #"{"recordName":"A","action":"EXPLODE"}"#), ("STRING_LIST", "[\"a\",1]"),
            ("STRING_LIST", "\"a\""), ("INT64_LIST", "[1,null]"), ("INT64_LIST", "[1,[2]]"), ("DOUBLE_LIST", "[1e999]"),
            ("BYTES_LIST", "[\"A\"]"), ("TIMESTAMP_LIST", "[0.5]"), ("LOCATION_LIST", "[{}]"),
            ("REFERENCE_LIST", "[{\"recordName\":\"\"}]"),
        ])
        func aValueThatDoesNotFitItsTypeIsRefused(tag: String, value: String) throws {
            let field = try JSON(#"{"value":\#(value),"type":"\#(tag)"}"#)
            let item = try ada.modify(operation("create", "A", fields: ["f": field]), atomic: false)
            expectItem(item, refusedWith: "BAD_REQUEST", name: "A")
            // A later value of the right type shows that the refused one fixed nothing.
            expectRecord(try ada.modify(operation("create", "B", fields: ["f": ["value": "x", "type": "STRING"]])))
        }

        @Test(arguments: ["9223372036854775808", "1e400", "-1e400", "18446744073709551616", "1e308e1"])
        func aNumberThatNoTypeHoldsIsRefused(number: String) throws {
            let text =
                #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":"#
                + #"{"recordName":"A","recordType":"Note","fields":{"f":{"value":\#(number)}}}}]}"#
            let response = try ada.send("POST", ada.path("records/modify", .private), body: Array(text.utf8))
            let body = try response.json
            let code = response.status == 200 ? body["records"][0]["serverErrorCode"] : body["serverErrorCode"]
            #expect(code == "BAD_REQUEST", "\(body)")
        }

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
            // Another type has fields of its own, also in another zone and for another person.
            expectRecord(
                try ada.modify(operation("create", "C", type: "Other", fields: ["f": ["value": "x"]])), type: "Other")
        }

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

        @Test func anEmptyListOfUnknownTypeFixesNothing() throws {
            let saved = try ada.modify(operation("create", "A", fields: ["f": ["value": []]]))
            #expect(saved["fields"]["f"] == ["value": [], "type": "UNKNOWN_LIST"], "\(saved)")
            expectRecord(try ada.modify(operation("create", "B", fields: ["f": ["value": ["x"]]])))
            let read = try ada.modify(operation("create", "C", fields: ["f": ["value": []]]))
            #expect(read["fields"]["f"] == ["value": [], "type": "STRING_LIST"], "\(read)")
        }

        static let removals: [JSON] = [["value": nil], [:], ["type": "STRING"], nil, ["value": nil, "type": "STRING"]]

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
            expectItem(
                try ada.modify(operation("create", "plain", fields: ["STRING": ["value": "x"]]), atomic: false),
                refusedWith: "BAD_REQUEST")
            try ada.create("A", fields: ["open": ["value": "x"]])
            expectItem(
                try ada.modify(
                    operation("create", "B", fields: ["open": ["value": "x", "isEncrypted": true]]), atomic: false),
                refusedWith: "BAD_REQUEST")
        }

        @Test func thePublicDatabaseKeepsNoEncryptedValues() throws {
            let fields: JSON = ["secret": ["value": "x", "type": "STRING", "isEncrypted": true]]
            expectItem(
                try ada.modify(operation("create", "A", fields: fields), zone: nil, in: .public),
                refusedWith: "BAD_REQUEST")
        }

        @Test func aRecordHasAtMost512FieldsAndOneMegabyte() throws {
            func fields(_ count: Int) -> JSON {
                .object((0..<count).map { JSON.Member("f\($0)", ["value": .int(Int64($0))]) })
            }
            expectRecord(try ada.modify(operation("create", "A", fields: fields(512))))
            expectItem(
                try ada.modify(operation("create", "B", type: "Wide", fields: fields(513))), refusedWith: "BAD_REQUEST")
            let text = String(repeating: "x", count: 1_000_000)
            expectRecord(try ada.modify(operation("create", "C", type: "Big", fields: ["t": ["value": .string(text)]])))
            let more = text + String(repeating: "x", count: 60_000)
            expectItem(
                try ada.modify(operation("create", "D", type: "Big", fields: ["t": ["value": .string(more)]])),
                refusedWith: "BAD_REQUEST")
        }

        @Test func aProductionSchemaDoesNotGrow() throws {
            let user = try Notes(environment: "production").ada
            expectItem(
                try user.modify(operation("create", "A", fields: ["f": ["value": 1]]), atomic: false),
                refusedWith: "BAD_REQUEST")
        }
    }

    /// docs/protocol.md, "Parts of an answer".
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
