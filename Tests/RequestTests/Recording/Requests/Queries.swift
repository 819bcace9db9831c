import RequestTesting

/// Queries: every comparator, with values of the right and the wrong type; orders, pages, zones, and invalid queries.
enum Queries {
    static var requests: [RecordedRequest] { filled + filters + mismatches + orders + options + pages + zones + rights }

    static func query(
        where filters: [String] = [], sorts: [String] = [], type: String = "Thing", _ members: String...,
        database: String = "private", by caller: SmallCloud.Caller = .person, as name: String? = nil
    ) -> RecordedRequest {
        var query = #""recordType":"\#(type)""#
        if !filters.isEmpty { query += #","filterBy":[\#(filters.joined(separator: ","))]"# }
        if !sorts.isEmpty { query += #","sortBy":[\#(sorts.joined(separator: ","))]"# }
        let all = (#""query":{\#(query)}"# + members.map { ",\($0)" }.joined())
        return RecordedRequest(caller, "\(database)/records/query", "{\(all)}", as: name)
    }

    static func filter(_ field: String, _ comparator: String, _ value: String, _ members: String = "") -> String {
        #"{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(value)}\#(members)}"#
    }

    static func sort(_ field: String, _ members: String = "") -> String { #"{"fieldName":"\#(field)"\#(members)}"# }

    /// Records to find, in their own zone.
    static var filled: [RecordedRequest] {
        let things = (0..<6).map { number in
            Saves.operation(
                "create", "q\(number)", Saves.thing,
                Saves.fields(
                    #"""
                    "text":{"value":"\#(["alpha beta", "Beta Gamma", "gämma", "", "alpha", "delta the"][number])"},\#
                    "words":{"value":["w\#(number)","x\#(number % 2)"]},"int":{"value":\#(number / 2)},\#
                    "ints":{"value":[\#(number),\#(number + 1)]},"double":{"value":\#(number).5},"doubles":{"value":[\#(number).5]},\#
                    "time":{"value":\#(1_000 * number)},"times":{"value":[\#(number)]},"bytes":{"value":"AQ\#(number)="},\#
                    "place":{"value":{"latitude":\#(number),"longitude":13}},"link":{"value":{"recordName":"q\#(number % 3)"}},\#
                    "links":{"value":[{"recordName":"q\#(number)"}]}
                    """#))
        }
        return [
            RecordedRequest(
                .person, "private/zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Searched"}}}]}"#),
            Saves.modify(zone: "Searched", things, #""desiredKeys":[]"#),
            Saves.modify(zone: "Searched", [Saves.operation("create", "bare", Saves.thing)]),
        ]
    }

    /// Queries the zone that was filled.
    static func search(_ filters: String..., sorts: [String] = []) -> RecordedRequest {
        query(where: filters, sorts: sorts, #""zoneID":{"zoneName":"Searched"},"desiredKeys":["int"]"#)
    }

    private static let fitting: [(String, String, String)] = [
        ("text", "EQUALS", #""alpha""#), ("text", "NOT_EQUALS", #""alpha""#), ("text", "LESS_THAN", #""b""#),
        ("text", "LESS_THAN_OR_EQUALS", #""alpha""#), ("text", "GREATER_THAN", #""b""#),
        ("text", "GREATER_THAN_OR_EQUALS", #""delta the""#),
        ("text", "BEGINS_WITH", #""alp""#), ("text", "NOT_BEGINS_WITH", #""alp""#), ("text", "BEGINS_WITH", #""""#),
        ("text", "IN", #"["alpha","x"]"#), ("text", "NOT_IN", #"["alpha","x"]"#), ("text", "IN", "[]"),
        ("text", "NOT_IN", "[]"),
        ("text", "CONTAINS_ALL_TOKENS", #""beta ALPHA""#), ("text", "CONTAINS_ANY_TOKENS", #""gamma delta""#),
        ("text", "CONTAINS_ALL_TOKENS", #""the""#), ("words", "CONTAINS_ANY_TOKENS", #""w1 w2""#),
        ("words", "LIST_CONTAINS", #""x1""#), ("words", "NOT_LIST_CONTAINS", #""x1""#),
        ("words", "LIST_CONTAINS_ANY", #"["w1","w2"]"#),
        ("words", "NOT_LIST_CONTAINS_ANY", #"["w1","w2"]"#), ("words", "LIST_CONTAINS_ALL", #"["w1","x1"]"#),
        ("words", "NOT_LIST_CONTAINS_ALL", #"["w1","x1"]"#), ("words", "CONTAINS_ANY", #"["w1"]"#),
        ("words", "LIST_MEMBER_BEGINS_WITH", #""w""#), ("words", "NOT_LIST_MEMBER_BEGINS_WITH", #""w1""#),
        ("int", "EQUALS", "1"), ("int", "EQUALS", "1.0"), ("int", "EQUALS", "1.5"), ("int", "NOT_EQUALS", "1"),
        ("int", "LESS_THAN", "1.5"),
        ("int", "GREATER_THAN_OR_EQUALS", "1"), ("int", "IN", "[0,2]"), ("int", "NOT_IN", "[0]"),
        ("ints", "LIST_CONTAINS", "3"),
        ("ints", "LIST_CONTAINS_ALL", "[]"), ("double", "EQUALS", "2.5"), ("double", "GREATER_THAN", "3"),
        ("doubles", "LIST_CONTAINS", "1.5"),
        ("time", "EQUALS", "2000"), ("time", "LESS_THAN", "2000"), ("times", "LIST_CONTAINS_ANY", "[1,2]"),
        ("bytes", "EQUALS", #""AQ1=""#),
        ("bytes", "GREATER_THAN", #""AQ==""#), ("link", "EQUALS", #"{"recordName":"q1"}"#),
        ("link", "IN", #"["q0","q2"]"#),
        ("link", "EQUALS", #"{"recordName":"q1","zoneID":{"zoneName":"One"}}"#),
        ("links", "LIST_CONTAINS", #"{"recordName":"q4"}"#),
        ("recordName", "EQUALS", #""q3""#), ("___recordID", "IN", #"["q3","q5"]"#),
        ("recordID", "EQUALS", #"{"recordName":"q2"}"#),
        ("createdUserRecordName", "EQUALS", #""_defaultOwner""#),
        ("___modifiedBy", "EQUALS", #"{"recordName":"$(friend/userRecordName)"}"#),
        ("createdTimestamp", "GREATER_THAN", "0"), ("modificationDate", "LESS_THAN", "5"),
        ("parent", "EQUALS", #""p1""#),
    ]

    static var filters: [RecordedRequest] {
        fitting.map { search(filter($0, $1, $2)) }
            + ["500000", "0", "1e9", "-1"].map {
                search(filter("place", "NEAR", #"{"latitude":3,"longitude":13}"#, #","distance":\#($0)"#))
            }
            + [
                search(filter("int", "GREATER_THAN", "0"), filter("int", "LESS_THAN", "2")),
                search(filter("words", "LIST_CONTAINS", #""x0""#), filter("text", "BEGINS_WITH", #""g""#)),
                search(#"{"comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"beta"}}"#),
                search(#"{"systemFieldName":"recordName","comparator":"EQUALS","fieldValue":{"value":"q1"}}"#),
                search(#"{"fieldName":"int","comparator":"EQUALS","fieldValue":{"value":"1","type":"INT64"}}"#),
                search(
                    #"{"fieldName":"words","comparator":"LIST_CONTAINS_ANY","fieldValue":{"value":["w1"],"type":"STRING_LIST"}}"#
                ),
            ]
    }
}
