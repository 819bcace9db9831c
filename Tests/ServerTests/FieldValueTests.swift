import NephosTesting
import Synchronization
import Testing

extension ServerTests {
    /// docs/protocol.md, F1 to F9. Each row has its own field and records.
    @Suite struct FieldValueTests {
        let ada: CloudKitClient

        init() throws { ada = try Notes.shared("FieldValueTests").ada }

        /// What a server needs in addition to a value to know its type.
        enum Needs { case nothing, schema, tag }

        /// A value of a type, as it is sent and as it must be returned.
        struct Value: CustomTestStringConvertible, Sendable {
            var tag: String
            var sent: JSON
            /// Nil: as sent.
            var answered: JSON?
            var needs = Needs.nothing
            var testDescription: String { "\(tag) \(sent.description.prefix(60))" }
        }

        static let values: [Value] = [
            Value(tag: "STRING", sent: "words"), Value(tag: "STRING", sent: ""),
            Value(tag: "STRING", sent: "\" \\ / \u{8}\u{C}\n\r\t\u{1F} \u{E9} e\u{301} 🦄\u{10FFFF}"),
            Value(tag: "INT64", sent: 0), Value(tag: "INT64", sent: .int(.max)), Value(tag: "INT64", sent: .int(.min)),
            Value(tag: "INT64", sent: .int(1 << 53 + 1)), Value(tag: "INT64", sent: true, answered: 1),
            Value(tag: "INT64", sent: false, answered: 0),
            Value(tag: "INT64", sent: "-9223372036854775808", answered: .int(.min), needs: .tag),
            Value(tag: "DOUBLE", sent: 0.5), Value(tag: "DOUBLE", sent: .number("1e-320")),
            Value(tag: "DOUBLE", sent: .number("1.7976931348623157e308")),
            Value(tag: "DOUBLE", sent: .number("-0.5E+2")),
            Value(tag: "DOUBLE", sent: 3, needs: .schema), Value(tag: "DOUBLE", sent: .number("-0.0"), needs: .schema),
            Value(tag: "DOUBLE", sent: "2.5", answered: 2.5, needs: .tag),
            Value(tag: "TIMESTAMP", sent: 1_735_689_600_000, needs: .schema),
            Value(tag: "TIMESTAMP", sent: -1, needs: .schema),
            Value(tag: "TIMESTAMP", sent: "1735689600000", answered: 1_735_689_600_000, needs: .tag),
            Value(
                tag: "TIMESTAMP", sent: .number("1735689600123.987"), answered: 1_735_689_600_123, needs: .schema),
            Value(tag: "TIMESTAMP", sent: "1735689600123.987", answered: 1_735_689_600_123, needs: .tag),
            Value(tag: "BYTES", sent: "AAEC/w==", needs: .schema), Value(tag: "BYTES", sent: "", needs: .schema),
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
            Value(tag: "DOUBLE_LIST", sent: [0.5, 1.5]), Value(tag: "DOUBLE_LIST", sent: [1, 1.5], needs: .schema),
            Value(tag: "TIMESTAMP_LIST", sent: [0, 1], needs: .schema),
            Value(
                tag: "TIMESTAMP_LIST", sent: [.number("0.9"), .number("-1.5"), 7], answered: [0, -1, 7],
                needs: .schema),
            Value(tag: "BYTES_LIST", sent: ["AA==", ""], needs: .schema),
            Value(tag: "LOCATION_LIST", sent: [["latitude": 0.5, "longitude": 0.5]]),
            Value(tag: "REFERENCE_LIST", sent: [["recordName": "x", "action": "NONE"]]),
            Value(tag: "STRING_LIST", sent: [], needs: .schema), Value(tag: "LOCATION_LIST", sent: [], needs: .schema),
        ]

        // F1, F5 to F9, J4
        @Test(arguments: values) func aValueComesBackAsItWasSent(_ value: Value) throws {
            // By its tag, then by the schema that the tag has fixed, and by the value alone where that is enough.
            let row = Row()
            let tagged: JSON = ["value": value.sent, "type": .string(value.tag)]
            let bare: JSON = ["value": value.sent]
            var operations = [row.create("tag", fields: ["f": tagged])]
            if value.needs != .tag { operations.append(row.create("schema", fields: ["f": bare])) }
            if value.needs == .nothing { operations.append(row.create("alone", fields: ["g": bare])) }
            for saved in try ada.modify(operations) {
                expectRecord(saved, type: row.type)
                let name = try #require(saved["recordName"].string)
                for record in [saved, try ada.lookUp(name)] {
                    let answer = record["fields"][name.hasSuffix("alone") ? "g" : "f"]
                    #expect(answer["type"] == .string(value.tag), "\(record)")
                    #expect(same(answer["value"], value.answered ?? value.sent), "\(record)")
                    #expect(answer["isEncrypted"].isAbsent)
                }
            }
        }

        /// Equality, of numbers by their meaning; returned references may have more members than sent ones.
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

        // F2, F5 to F9
        @Test(arguments: [
            ("INT64", "9223372036854775808"), ("INT64", "-9223372036854775809"), ("INT64", "1.5"), ("INT64", "\"x\""),
            ("INT64", "[]"), ("INT64", "{}"), ("DOUBLE", "1e400"), ("DOUBLE", "\"nan\""), ("DOUBLE", "\"\""),
            ("TIMESTAMP", "1e19"), ("TIMESTAMP", "\"tomorrow\""), ("STRING", "1"), ("STRING", "[\"a\"]"),
            ("BYTES", "\"A\""), ("BYTES", "\"A===\""), ("BYTES", "\"*AAA\""), ("BYTES", "1"),
            ("LOCATION", "{}"), ("LOCATION", #"{"latitude":1}"#), ("LOCATION", #"{"latitude":"x","longitude":1}"#),
            ("LOCATION", "[1,2]"), ("LOCATION", #"{"latitude":90.1,"longitude":0}"#),
            ("LOCATION", #"{"latitude":0,"longitude":-180.5}"#), ("REFERENCE", "{}"),
            ("REFERENCE", #"{"recordName":1}"#), ("REFERENCE", "\"A\""),
            ("REFERENCE", #"{"recordName":"A","action":"EXPLODE"}"#), ("STRING_LIST", "[\"a\",1]"),
            ("STRING_LIST", "\"a\""), ("INT64_LIST", "[1,null]"), ("INT64_LIST", "[1,[2]]"), ("DOUBLE_LIST", "[1e999]"),
            ("BYTES_LIST", "[\"A\"]"), ("TIMESTAMP_LIST", "[1e19]"), ("LOCATION_LIST", "[{}]"),
            ("REFERENCE_LIST", "[{\"recordName\":\"\"}]"),
        ])
        func aValueThatDoesNotFitItsTypeIsRefused(tag: String, value: String) throws {
            let field = try JSON(parsing: #"{"value":\#(value),"type":"\#(tag)"}"#)
            let row = Row()
            expectItem(try ada.modify(row.create("A", fields: ["f": field]), atomic: false), refusedWith: "BAD_REQUEST")
            // A later value of another type shows that the rejected one fixed nothing.
            let other: JSON = ["value": [true], "type": "INT64_LIST"]
            expectRecord(try ada.modify(row.create("B", fields: ["f": other])), type: row.type)
        }

        // J4
        @Test(arguments: ["9223372036854775808", "1e400", "-1e400", "18446744073709551616", "1e308e1"])
        func aNumberThatNoTypeHoldsIsRefused(number: String) throws {
            let text =
                #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":"#
                + #"{"recordName":"A","recordType":"Large","fields":{"f":{"value":\#(number)}}}}]}"#
            let response = try ada.send("POST", ada.path("records/modify", .private), body: Array(text.utf8))
            let body = try response.json
            let code = response.status == 200 ? body["records"][0]["serverErrorCode"] : body["serverErrorCode"]
            #expect(code == "BAD_REQUEST", "\(body)")
        }
    }
}

/// A row of a table: a record type and record names that no other row has.
private struct Row {
    private static let count = Atomic(0)
    let type = "T\(Row.count.add(1, ordering: .relaxed).newValue)"

    func create(_ name: String, fields: JSON) -> JSON {
        operation("create", "\(type) \(name)", type: type, fields: fields)
    }
}
