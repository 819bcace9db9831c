import RequestTesting

/// Files that are downloaded, and that are added to other records.
extension Assets {
    static var downloads: [RecordedRequest] {
        let (link, open) = (
            "$(a1/records/0/fields/file/value/downloadURL)", "$(open/records/0/fields/file/value/downloadURL)"
        )
        let large = "$(large/records/0/fields/file/value/downloadURL)"
        let second = "$(a2/records/0/fields/files/value/1/downloadURL)"
        return ranges.map { RecordedRequest("GET", .stranger, link, headers: [("Range", $0)]) }
            + conditions.map { RecordedRequest("GET", .stranger, link, headers: $0) }
            + ["GET", "HEAD", "POST", "DELETE", "OPTIONS"].map { RecordedRequest($0, .stranger, link) }
            + [
                RecordedRequest("GET", .stranger, large),
                RecordedRequest("GET", .stranger, large, headers: [("Range", "bytes=99990-")]),
                RecordedRequest("GET", .stranger, large, headers: [("Range", "bytes=10-90009")]),
                RecordedRequest("GET", .stranger, open), RecordedRequest("GET", .stranger, second),
                RecordedRequest("GET", .friend, open),
                RecordedRequest("GET", .stranger, "\(link)A"),
                RecordedRequest("GET", .stranger, "\(root)/photo?t=AAAA"),
                RecordedRequest("GET", .stranger, "\(root)/photo"), RecordedRequest("GET", .stranger, "/asset/1/x"),
                RecordedRequest("GET", .stranger, "\(root)/photo?t=AAAA", headers: RecordedRequest.extras),
                RecordedRequest("GET", .stranger, "/asset/1/iCloud.org.nephos.unknown/development/photo?t=AAAA"),
                Saves.modify(in: "public", [Saves.operation("forceUpdate", "a1", Saves.fields(#""file":null"#))]),
                RecordedRequest("GET", .stranger, open),
                Saves.modify(in: "public", [Saves.operation("forceDelete", "a1")]),
                RecordedRequest("GET", .stranger, open),
            ]
    }

    private static let ranges = [
        "bytes=0-1", "bytes=2-", "bytes=-2", "bytes=0-100", "bytes=5-", "bytes=3-1", "bytes=0-0,2-3", "items=0-1",
        "bytes=x",
        "bytes=0-18446744073709551616", "bytes=-0",
    ]

    private static let conditions: [[(name: String, value: String)]] = [
        [("If-None-Match", "*")], [("If-None-Match", #""x""#)], [("If-Match", "*")], [("If-Match", #""x""#)],
        [("If-Range", #""x""#), ("Range", "bytes=0-1")], [("If-Modified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")],
    ]

    static var rereferenced: [RecordedRequest] {
        func ask(
            _ assets: String..., members: String = "", by caller: SmallCloud.Caller = .person,
            database: String = "private",
            as name: String? = nil
        ) -> RecordedRequest {
            RecordedRequest(
                caller, "\(database)/assets/rereference", #"{\#(members)"assets":[\#(assets.joined(separator: ","))]}"#,
                as: name)
        }
        let file = #"{"recordName":"a1","fieldName":"file"}"#
        let value = "$(again/assets/0/"
        return [
            ask(file, as: "again"), ask(#"{"recordName":"a2","fieldName":"files"}"#),
            ask(#"{"recordName":"a2","fieldName":"files","fileChecksum":"$(put/singleFile/fileChecksum)"}"#),
            ask(#"{"recordName":"a2","fieldName":"files","fileChecksum":"AAAA"}"#),
            ask(#"{"recordName":"none","fieldName":"file"}"#),
            ask(#"{"recordName":"a1","fieldName":"text"}"#), ask(#"{"recordName":"a1","fieldName":"none"}"#), ask(),
            ask(file, #"{"recordName":"none","fieldName":"file"}"#),
            ask(file, members: #""zoneID":{"zoneName":"None"},"#),
            ask(file, members: #""targetZoneID":{"zoneName":"One"},"#), ask(file, by: .friend),
            ask(#"{"recordName":"a3","fieldName":"file"}"#, by: .friend, database: "public"),
            ask(#"{"recordName":"a1"}"#),
            Saves.modify(
                zone: "One",
                [
                    Saves.operation(
                        "create", "copy", Saves.thing,
                        Saves.fields(
                            #""file":{"value":{"fileChecksum":"\#(value)fileChecksum)","size":\#(value)size),"receipt":"\#(value)receipt)"}}"#
                        ))
                ]),
        ]
    }
}
