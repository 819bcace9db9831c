import NephosTesting
import Testing

/// Queries for missing or forbidden items, or with invalid values (docs/protocol.md, Q1 and Q7 to Q21).
extension BadInput {
    @Suite(.inside) struct Queries {
        /// One filter on Ada's notes: what follows its comparator and field.
        private static func filter(
            _ field: String, _ comparator: String, _ value: String, _ reason: String, more: String = ""
        ) -> Row {
            let body = """
                {"query":{"recordType":"Note","filterBy":[{"fieldName":"\(field)","comparator":"\(comparator)",\
                "fieldValue":\(value)\(more)}]}}
                """
            return .body(
                "\(comparator) on \(field): \(value.prefix(60))\(more.prefix(40))", "records/query", Array(body.utf8),
                .refused(400, "BAD_REQUEST", reason))
        }

        private static func sort(_ sort: String, _ reason: String) -> Row {
            .body(
                "sort: \(sort.prefix(80))", "records/query",
                Array(#"{"query":{"recordType":"Note","sortBy":\#(sort)}}"#.utf8),
                .refused(400, "BAD_REQUEST", reason))
        }

        private static let tooManyWords = (0..<300).map { "word\($0)" }.joined(separator: " ")

        static let filters: [Row] = [
            filter("nothing", "EQUALS", #"{"value":1}"#, "Unknown field 'nothing'"),
            filter("", "EQUALS", #"{"value":1}"#, "Unknown field ''"),
            filter("a\\u0000b", "EQUALS", #"{"value":1}"#, "Unknown field 'a?b'"),
            filter(String(repeating: "n", count: 300), "EQUALS", #"{"value":1}"#, "Unknown field 'nnn"),
            filter("owner.name", "EQUALS", #"{"value":1}"#, "Unknown field 'owner.name'"),
            filter("text", "LIKE", #"{"value":1}"#, "unknown comparator 'LIKE': use one of EQUALS, "),
            filter("text", "equals", #"{"value":1}"#, "unknown comparator 'equals'"),
            filter("plain", "EQUALS", #"{"value":"x"}"#, "Field 'plain' is not marked queryable"),
            filter("plain", "GREATER_THAN", #"{"value":"x"}"#, "Field 'plain' is not marked queryable"),
            filter("plain", "CONTAINS_ALL_TOKENS", #"{"value":"x"}"#, "Field 'plain' is not marked searchable"),
            filter(
                "secret", "EQUALS", #"{"value":"x"}"#, "ENCRYPTED_STRING and cannot be queried using filter type EQUALS"
            ),
            filter("file", "EQUALS", #"{"value":"x"}"#, "ASSETID and cannot be queried"),
            filter("share", "EQUALS", #"{"value":"x"}"#, "Field 'share' cannot be queried"),
            filter("___etag", "EQUALS", #"{"value":"x"}"#, "Field '___etag' cannot be queried"),
            filter("parent", "NOT_IN", #"{"value":["x"]}"#, "cannot be queried using filter type NOT_IN"),
            filter(
                "createdTimestamp", "LESS_THAN", #"{"value":1}"#, "Field 'createdTimestamp' is not marked queryable"),
            filter(
                "count", "BEGINS_WITH", #"{"value":"3"}"#, "INT64 and cannot be queried using filter type BEGINS_WITH"),
            filter("count", "LIST_CONTAINS", #"{"value":3}"#, "INT64 and cannot be queried"),
            filter("tags", "EQUALS", #"{"value":["a"]}"#, "STRING_LIST and cannot be queried"),
            filter("tags", "LESS_THAN", #"{"value":"a"}"#, "STRING_LIST and cannot be queried"),
            filter("place", "EQUALS", #"{"value":{"latitude":1,"longitude":2}}"#, "LOCATION and cannot be queried"),
            filter("count", "NEAR", #"{"value":3}"#, "INT64 and cannot be queried using filter type NEAR"),
            filter("count", "EQUALS", #"{"value":"3"}"#, "invalid attempt to compare value type STRING"),
            filter("count", "EQUALS", #"{"value":"3x","type":"INT64"}"#, "Invalid value, expected type INT64."),
            filter("count", "EQUALS", #"{"value":9223372036854775808}"#, "Invalid value, expected type INT64."),
            filter("count", "EQUALS", #"{"value":1e400}"#, "Invalid value, expected type DOUBLE."),
            filter("count", "EQUALS", #"{"value":[3]}"#, "compare value type INT64_LIST"),
            filter("count", "EQUALS", #"{"value":null}"#, "the key 'value' is missing"),
            filter("count", "EQUALS", #"{"value":{}}"#, "an object that is not a location"),
            filter("count", "EQUALS", #"{"value":3,"isEncrypted":true}"#, "compare value type ENCRYPTED_INT64"),
            filter("count", "IN", #"{"value":3}"#, "Unexpected input"),
            filter("count", "IN", #"{"value":[3],"type":"INT64"}"#, "Unexpected input"),
            filter("count", "IN", #"{"value":[3,null]}"#, ""), filter("count", "IN", #"{"value":[3,[3]]}"#, ""),
            filter("count", "IN", #"{"value":{"0":3}}"#, "Unexpected input"),
            filter("ratio", "EQUALS", #"{"value":-1e400,"type":"DOUBLE"}"#, "Invalid value, expected type DOUBLE."),
            filter("day", "LESS_THAN", #"{"value":1e19}"#, "Invalid value, expected type TIMESTAMP."),
            filter("data", "EQUALS", #"{"value":"AA"}"#, "Invalid value, expected type BYTES."),
            filter("tags", "LIST_CONTAINS", #"{"value":["a"],"type":"STRING_LIST"}"#, "compare value type STRING_LIST"),
            filter("tags", "LIST_CONTAINS_ALL", #"{"value":"a"}"#, "Unexpected input"),
            filter("text", "CONTAINS_ALL_TOKENS", #"{"value":["a"]}"#, "compare value type STRING_LIST"),
            filter("text", "CONTAINS_ANY_TOKENS", "{\"value\":\"\(tooManyWords)\"}", "at most 250 words"),
            filter(
                "text", "CONTAINS_ANY_TOKENS", "{\"value\":\"\(String(repeating: "x", count: 16_385))\"}",
                "at most 16384 bytes"),
            filter("recordName", "EQUALS", #"{"value":5}"#, "compare value type INT64"),
            filter("recordName", "EQUALS", #"{"value":{"recordName":5}}"#, ""),
            filter("recordName", "BEGINS_WITH", #"{"value":"n"}"#, "cannot be queried using filter type BEGINS_WITH"),
            filter(
                "parent", "EQUALS", #"{"value":{"recordName":"x","zoneID":{"zoneName":"More"}}}"#,
                "never leave the zone"),
        ]

        private static let place = #"{"value":{"latitude":1,"longitude":2}}"#

        static let places: [Row] = [
            filter("place", "NEAR", place, "NEAR needs a 'distance'"),
            filter("place", "NEAR", place, "NEAR needs a 'distance'", more: #","distance":null"#),
            filter("place", "NEAR", place, "NEAR needs a 'distance'", more: #","distance":-1"#),
            filter("place", "NEAR", place, "beyond the range of a double", more: #","distance":1e400"#),
            filter("place", "NEAR", #"{"value":{"latitude":91,"longitude":2}}"#, "latitude", more: #","distance":1"#),
            filter("place", "NEAR", #"{"value":{"latitude":1}}"#, "", more: #","distance":1"#),
            filter("place", "NEAR", #"{"value":"here"}"#, "compare value type STRING", more: #","distance":1"#),
        ]

        static let sorts: [Row] = [
            sort(#"[{"fieldName":"plain"}]"#, "Field 'plain' is not marked sortable"),
            sort(#"[{"fieldName":"nothing"}]"#, "Unknown field 'nothing'"),
            sort(#"[{"fieldName":"tags"}]"#, "STRING_LIST and cannot be sorted"),
            sort(#"[{"fieldName":"secret"}]"#, "ENCRYPTED_STRING and cannot be sorted"),
            sort(#"[{"fieldName":"place"}]"#, "by its distance from a relativeLocation"),
            sort(
                #"[{"fieldName":"text","relativeLocation":{"latitude":1,"longitude":2}}]"#, "relativeLocation sorts by"),
            sort(#"[{"fieldName":"place","relativeLocation":{"latitude":1}}]"#, "relativeLocation"),
            sort(#"[{"fieldName":"place","relativeLocation":5}]"#, "relativeLocation"),
            sort(#"[{"systemFieldName":"share"}]"#, "cannot be queried"),
            sort(#"[{"systemFieldName":"parent"}]"#, "cannot be sorted"),
            sort(#"[{"systemFieldName":"modifiedTimestamp"}]"#, "Field 'modifiedTimestamp' is not marked sortable"),
        ]

        @Test(arguments: filters) func aFilterThatCannotBeIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: places) func aPlaceThatCannotBeIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: sorts) func aSortThatCannotBeIsRefused(_ row: Row) throws { try row.prove() }
    }
}
