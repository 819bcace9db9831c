import RequestTesting

/// Orders, pages, zones, and types that not everyone may read.
extension Queries {
    static var orders: [RecordedRequest] {
        let down = #","ascending":false"#
        return ["text", "int", "double", "time", "bytes", "recordName", "createdTimestamp", "modifiedTimestamp"].flatMap
        {
            [search(sorts: [sort($0)]), search(sorts: [sort($0, down)])]
        } + [
            search(sorts: [sort("int", down), sort("text")]), search(sorts: [sort("int"), sort("int", down)]),
            search(sorts: [sort("place", #","relativeLocation":{"latitude":3,"longitude":13}"#)]),
            search(sorts: [sort("place", #","relativeLocation":{"value":{"latitude":3,"longitude":13}}"#)]),
            search(sorts: [sort("place")]), search(sorts: [sort("words")]), search(sorts: [sort("hidden")]),
            search(sorts: [sort("plain")]),
            search(sorts: [sort("none")]), search(sorts: ["{}"]), search(sorts: [sort("int", #","ascending":1"#)]),
            search(filter("int", "GREATER_THAN", "0"), sorts: [sort("double", down)]),
        ]
    }

    static var pages: [RecordedRequest] {
        func page(_ marker: String?, _ members: String = "", as name: String? = nil) -> RecordedRequest {
            let marker = marker.map { #","continuationMarker":"\#($0)""# } ?? ""
            let zone = #""zoneID":{"zoneName":"Searched"},"desiredKeys":[]"#
            return query(
                where: [filter("int", "GREATER_THAN_OR_EQUALS", "0")], sorts: [sort("int", #","ascending":false"#)],
                zone + #","resultsLimit":4"# + marker + members, as: name)
        }
        let second = "$(page1/continuationMarker)"
        return [
            page(nil, as: "page1"), page(second), page(second, #","numbersAsStrings":true"#), page("\(second)AAAA"),
            page("A\(second)"),
            page(""), page("AAAA"),
            query(#""continuationMarker":"\#(second)""#),
            query(
                where: [filter("int", "GREATER_THAN_OR_EQUALS", "0")], #""continuationMarker":"\#(second)""#,
                by: .friend),
            query(#""resultsLimit":9,"desiredKeys":["int"]"#, as: "all1"),
            query(
                #""resultsLimit":9,"desiredKeys":["int"],"continuationMarker":"$(all1/continuationMarker)""#, as: "all2"
            ),
            query(#""resultsLimit":9,"desiredKeys":["int"],"continuationMarker":"$(all2/continuationMarker)""#),
            query(sorts: [sort("text")], #""resultsLimit":5,"desiredKeys":[],"zoneWide":true"#, as: "wide1"),
            query(
                sorts: [sort("text")],
                #""resultsLimit":5,"desiredKeys":[],"zoneWide":true,"continuationMarker":"$(wide1/continuationMarker)""#
            ),
        ]
    }

    static var zones: [RecordedRequest] {
        ["One", "None", "_defaultZone", "_x"].flatMap { zone in
            ["private", "public", "shared"].map { database in
                query(#""zoneID":{"zoneName":"\#(zone)"},"resultsLimit":1,"desiredKeys":[]"#, database: database)
            }
        } + [
            query(#""zoneID":{"zoneName":"One","ownerRecordName":"$(friend/userRecordName)"},"resultsLimit":1"#),
            query(#""zoneID":{"zoneName":"One"},"resultsLimit":1"#, by: .friend),
            query(#""zoneWide":true"#, database: "shared"),
        ]
    }

    static var rights: [RecordedRequest] {
        [SmallCloud.Caller.app, .person, .friend, .key].flatMap { caller in
            ["Diary", "Notice", "Ledger"].map {
                query(type: $0, #""desiredKeys":["text"]"#, database: "public", by: caller)
            }
        } + [
            query(where: [filter("text", "EQUALS", #""b""#)], type: "Ledger", database: "public"),
            query(where: [filter("text", "EQUALS", #""b""#)], type: "Ledger", database: "public").with(
                RecordedRequest.extras),
            query(
                where: [filter("createdUserRecordName", "EQUALS", #""_defaultOwner""#)], #""resultsLimit":2"#,
                database: "public", by: .key),
        ]
    }
}
