import RequestTesting

/// Invalid queries, and other keys of a query.
extension Queries {
    static var mismatches: [RecordedRequest] {
        let values: [(String, String, String)] = [
            ("text", "EQUALS", "1"), ("text", "LIST_CONTAINS", #""a""#), ("text", "NEAR", #""a""#),
            ("text", "IN", #""a""#),
            ("int", "EQUALS", #""a""#), ("int", "BEGINS_WITH", "1"), ("int", "IN", "1"), ("words", "EQUALS", #""a""#),
            ("words", "LIST_CONTAINS", "1"), ("place", "EQUALS", #"{"latitude":1,"longitude":1}"#),
            ("place", "NEAR", "1"),
            ("hidden", "EQUALS", #""a""#), ("file", "EQUALS", #""a""#), ("plain", "EQUALS", #""a""#),
            ("plain", "CONTAINS_ANY_TOKENS", #""a""#),
            ("none", "EQUALS", "1"), ("share", "EQUALS", #""a""#), ("recordChangeTag", "EQUALS", #""1""#),
            ("text", "LIKE", #""a""#),
            ("text", "EQUALS", "null"), ("bytes", "EQUALS", #""A""#),
            ("places", "LIST_CONTAINS", #"{"latitude":1,"longitude":1}"#),
            ("recordName", "EQUALS", "1"), ("createdUserRecordName", "EQUALS", #""nobody""#),
        ]
        return values.map { search(filter($0, $1, $2)) } + [
            search(#"{"fieldName":"int","comparator":"EQUALS"}"#),
            search(#"{"comparator":"EQUALS","fieldValue":{"value":1}}"#),
            search(#"{"fieldName":"int","fieldValue":{"value":1}}"#),
            search(filter("place", "NEAR", #"{"latitude":3,"longitude":13}"#)),
            search(
                #"{"fieldName":"int","systemFieldName":"recordName","comparator":"EQUALS","fieldValue":{"value":1}}"#),
            search(
                #"{"fieldName":"int","comparator":"IN","fieldValue":{"value":[\#((0...250).map(String.init).joined(separator: ","))]}}"#
            ),
        ]
    }

    static var options: [RecordedRequest] {
        [
            query(#""zoneID":{"zoneName":"Searched"},"resultsLimit":1,"numbersAsStrings":true"#),
            query(#""resultsLimit":1"#),
            query(#""resultsLimit":"2""#), query(#""resultsLimit":0"#), query(#""resultsLimit":-1"#),
            query(#""resultsLimit":1.5"#),
            query(#""resultsLimit":1000,"desiredKeys":[]"#), query(#""desiredKeys":["text","none"],"resultsLimit":1"#),
            query(#""desiredKeys":"text""#), query(type: "Nothing"), query(type: ""), query(type: "Untyped"),
            query(type: "Ledger"),
            query(type: "Users"), query(type: "Users", database: "public"),
            query(#""zoneWide":true,"resultsLimit":3,"desiredKeys":[]"#), query(#""unknown":{}, "resultsLimit":1"#),
            RecordedRequest(
                .person, "private/records/query?getCurrentSyncToken=true",
                #"{"query":{"recordType":"Note"},"resultsLimit":1}"#),
            RecordedRequest(
                .person, "private/records/query?getCurrentSyncToken=true",
                #"{"query":{"recordType":"Note"},"zoneID":{"zoneName":"One"},"resultsLimit":1}"#),
            RecordedRequest(
                .person, "private/records/query",
                #"{"query":{"recordType":"Thing","filterBy":\#(filter("int", "EQUALS", "7"))}}"#),
        ]
    }
}
