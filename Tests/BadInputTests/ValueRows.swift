import NephosTesting
import Testing

/// Field values that do not match their type, and invalid records (docs/protocol.md, F1 to F4 and Values).
extension BadInput {
    @Suite(.inside) struct Values {
        static let item = Row.Answer.item("BAD_REQUEST", "")

        /// Values that do not match their own tag. The field is new, so that only the tag determines the type.
        static let values: [Row] = bad.sorted { $0.key < $1.key }.flatMap { type, values in
            values.map { .field("no \(type)", "fresh", #"{"value":\#($0),"type":"\#(type)"}"#, item) }
        }

        private static let bad: [String: [String]] = [
            "STRING": ["1", "true", "{}", "[]"],
            "INT64": [
                #""x""#, "1.5", "9223372036854775808", "-9223372036854775809", "1e19", "[]", "{}", #""""#, #""1x""#,
            ],
            "DOUBLE": [#""x""#, "1e400", "-1e400", "{}", "[]", #""NaN""#, #""Infinity""#],
            "TIMESTAMP": [#""x""#, "1e19", "1e400", "{}", "[]", "9223372036854775808.5", #""2027-03-09""#],
            "BYTES": [
                "1", #""A""#, #""AA""#, #""AAA""#, #""AA==A""#, #""A===""#, #""====""#, #""AA-_""#, #""AAE*""#,
                #"" AAEC""#, #""AAEC\n""#, "[]", "{}",
            ],
            "LOCATION": [
                "1", "{}", #"{"latitude":1}"#, #"{"longitude":1}"#, #"{"latitude":"x","longitude":1}"#,
                #"{"latitude":1,"longitude":1e400}"#, #"{"latitude":[],"longitude":1}"#, "[]", #""1,2""#,
            ],
            "REFERENCE": [
                "1", #""note1""#, "{}", #"{"recordName":1}"#, #"{"recordName":""}"#,
                #"{"recordName":"note1","action":"EXPLODE"}"#, #"{"recordName":"note1","zoneID":{"zoneName":"More"}}"#,
                #"{"recordName":"note1","zoneID":5}"#, #"{"recordName":"note1","action":5}"#,
                #"{"recordName":"a\u0000b"}"#,
            ],
            "STRING_LIST": [#""x""#, #"["x",1]"#, #"[["x"]]"#, "[null]", #"[{}]"#],
            "INT64_LIST": [#"[1,"x"]"#, "[1,1.5]", "1", "[9223372036854775808]"],
            "DOUBLE_LIST": ["[1e400]", #"["x"]"#], "BYTES_LIST": [#"["AAEC","A"]"#], "TIMESTAMP_LIST": ["[1e19]"],
            "LOCATION_LIST": ["[{}]"], "REFERENCE_LIST": ["[{}]", #"["note1"]"#],
            "ASSETID": [
                "1", "{}", #"{"fileChecksum":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB","size":"!","receipt":"r"}"#,
                #"{"fileChecksum":"AAEC","size":3,"receipt":"none"}"#, #""x""#,
            ],
            "NOTHING": ["1"], "string": [#""x""#], "STRING_LIST_LIST": ["[]"], "": [#""x""#],
        ]

        /// Values that contradict the schema created by the first notes.
        static let contradictions: [Row] = against.map { .field("not as the schema has \($0)", $0, $1, item) }

        private static let against: [(String, String)] = [
            ("text", #"{"value":1}"#), ("text", #"{"value":"x","type":"BYTES"}"#), ("text", #"{"value":["x"]}"#),
            ("count", #"{"value":"x"}"#), ("count", #"{"value":1.5}"#), ("count", #"{"value":1,"type":"DOUBLE"}"#),
            ("data", #"{"value":"A"}"#), ("data", #"{"value":5}"#), ("place", #"{"value":"x"}"#),
            ("day", #"{"value":1e19}"#), ("day", #"{"value":"yesterday"}"#), ("tags", #"{"value":"x"}"#),
            ("tags", #"{"value":[1]}"#), ("ratio", #"{"value":"x"}"#), ("ratio", #"{"value":1e400}"#),
        ]

        /// Values that are not a value dictionary, or have no type.
        static let shapes: [Row] = [
            .field("a bare text", "fresh", #""x""#, item), .field("a bare number", "fresh", "1", item),
            .field("a bare list", "fresh", "[]", item),
            .field("a type that is no text", "fresh", #"{"value":1,"type":5}"#, item),
            .field("isEncrypted that is no truth", "fresh", #"{"value":"x","isEncrypted":1}"#, item),
            .field("a value twice", "fresh", #"{"value":1,"value":2}"#, item),
            .field("an object that is nothing", "fresh", #"{"value":{"a":1}}"#, item),
            .field("a list of lists", "fresh", #"{"value":[[1]]}"#, item),
            .field("a mixed list", "fresh", #"{"value":[1,"x"]}"#, item),
        ]

        static let fieldNames: [Row] = badNames.map {
            .field("a field named \($0.prefix(20))", $0, #"{"value":"x"}"#, item)
        }

        private static let badNames: [String] = [
            "", "1a", "_a", "a b", "a-b", "a.b", "é", "😀", #"a\u0000"#, #"a\n"#, "___recordID", "a'b", "a;",
            String(repeating: "a", count: 256),
        ]

        static let records: [Row] = [
            .save("a type without name", ["recordType": ""], item),
            .save("a type with a space", ["recordType": "a b"], item),
            .save("a type with a NUL", ["recordType": "a\u{0}"], item),
            .save("a type of 256 bytes", ["recordType": .string(String(repeating: "a", count: 256))], item),
            .save("a type in Greek", ["recordType": "Σ"], item),
            .save("a type that begins with _", ["recordType": "_x"], item),
            .save("a type that is ours", ["recordType": "Users"], item),
            .save("a share", ["recordType": "cloudkit.share"], .item("BAD_REQUEST", "forRecord is required")),
            .save("another type for a record", ["recordName": "note1", "recordType": "Other"], item),
            .save(
                "an encrypted field in public", ["fields": ["e": ["value": "x", "isEncrypted": true]]], item, .public),
            .save("encrypted data in a plain field", ["fields": ["text": ["value": "x", "isEncrypted": true]]], item),
            .save("513 fields", ["fields": many(513)], item),
            .save(
                "a text of 1 MB", ["fields": ["text": ["value": .string(String(repeating: "x", count: 1 << 20))]]], item
            ),
            .save(
                "a parent that is not there", ["parent": ["recordName": "nobody"]],
                .item("VALIDATING_REFERENCE_ERROR", "")),
            .save("its own parent", ["parent": ["recordName": "bad"]], item),
            .save(
                "a parent in another zone", ["parent": ["recordName": "note1", "zoneID": ["zoneName": "More"]]], item),
            .save(
                "a target that is not there",
                ["fields": ["r": ["value": ["recordName": "nobody", "action": "VALIDATE"], "type": "REFERENCE"]]],
                .item("VALIDATING_REFERENCE_ERROR", "")),
        ]

        private static func many(_ count: Int) -> JSON {
            .object((0..<count).map { JSON.Member("f\($0)", ["value": 1]) })
        }

        @Test(arguments: values) func aValueThatIsNotOfItsTypeIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: contradictions) func aValueAgainstTheSchemaIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: shapes) func aFieldThatIsNoDictionaryIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: fieldNames) func aBadFieldNameIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: records) func aBadRecordIsRefused(_ row: Row) throws { try row.prove() }
    }
}
