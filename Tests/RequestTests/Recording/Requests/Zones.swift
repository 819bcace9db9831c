import RequestTesting

/// Zones, under all the names that their owner and others may use.
enum Zones {
    static var requests: [RecordedRequest] { made + owned + lookedUp + changed }

    private static func modify(
        _ caller: SmallCloud.Caller = .person, _ database: String = "private", _ operations: [(String, String)]
    ) -> RecordedRequest {
        let operations = operations.map { #"{"operationType":"\#($0)","zone":{"zoneID":\#($1)}}"# }
        return RecordedRequest(caller, "\(database)/zones/modify", Endpoints.saving(operations))
    }

    private static func zone(_ name: String) -> String { #"{"zoneName":"\#(name)"}"# }

    private static var made: [RecordedRequest] {
        [
            [("create", zone("One"))], [("create", zone("One"))], [("create", zone("Two")), ("create", zone("Three"))],
            [("create", zone("_defaultZone"))], [("create", zone("_own"))], [("create", zone(""))],
            [("create", zone("é ☂"))], [("create", zone(#"tab\t"#))],
            [("create", zone(String(repeating: "z", count: 255)))],
            [("create", zone(String(repeating: "z", count: 256)))],
            [("delete", zone("Two"))], [("delete", zone("Two"))], [("delete", zone("_defaultZone"))],
            [("create", zone("Four")), ("create", zone("Four"))], [("create", zone("Five")), ("delete", zone("Five"))],
            [("create", zone("Six")), ("delete", zone("None")), ("create", zone("_seven"))], [("rename", zone("One"))],
            [("create", "{}")], [("create", #"{"zoneName":7}"#)], [],
        ].map { modify(.person, "private", $0) }
            + [
                modify(.friend, "private", [("create", zone("One"))]),
                modify(.person, "public", [("create", zone("One"))]),
                modify(.person, "shared", [("create", zone("One"))]),
                modify(.person, "private", [("delete", zone("None"))]).with(RecordedRequest.extras),
                RecordedRequest(.person, "private/zones/modify", #"{"operations":[{"operationType":"create"}]}"#),
            ]
    }

    private static let owners = [
        "_defaultOwner", "__defaultOwner__", "$(me/userRecordName)", "$(friend/userRecordName)", "_nobody", "",
    ]

    private static var owned: [RecordedRequest] {
        owners.flatMap { owner in
            let zone = #"{"zoneName":"One","ownerRecordName":"\#(owner)"}"#
            return ["private", "shared"].map {
                RecordedRequest(.person, "\($0)/zones/lookup", #"{"zones":[\#(zone)]}"#)
            }
                + [
                    RecordedRequest(
                        .person, "private/records/lookup", #"{"zoneID":\#(zone),"records":[{"recordName":"a"}]}"#),
                    RecordedRequest(.person, "private/changes/zone", #"{"zones":[{"zoneID":\#(zone)}]}"#),
                    modify(.person, "private", [("create", zone)]),
                ]
        }
    }

    private static var lookedUp: [RecordedRequest] {
        [
            #"{"zones":[{"zoneName":"One"},{"zoneID":{"zoneName":"_defaultZone"}},{"zoneName":"None"}]}"#,
            #"{"zones":[]}"#, #"{"zones":[{"zoneName":"One"},{"zoneName":"One"}]}"#, #"{"zones":[{"zoneName":""}]}"#,
            #"{"zones":[{}]}"#, #"{"zones":[{"zoneID":{"zoneName":null}}]}"#,
        ].map { RecordedRequest(.person, "private/zones/lookup", $0) } + [
            RecordedRequest(
                .key, "public/zones/lookup", #"{"zones":[{"zoneName":"_defaultZone"},{"zoneName":"One"}]}"#),
            RecordedRequest(.person, "private/zones/list"), RecordedRequest("GET", .friend, "private/zones/list"),
            RecordedRequest("GET", .app, "public/zones/list"), RecordedRequest(.person, "shared/zones/list"),
        ]
    }

    private static var changed: [RecordedRequest] {
        func ask(_ endpoint: String, _ body: String, as name: String? = nil) -> RecordedRequest {
            RecordedRequest(.person, "private/\(endpoint)", body, as: name)
        }
        return [
            ask("changes/database", #"{"resultsLimit":2}"#, as: "zones1"),
            ask("changes/database", #"{"resultsLimit":2,"syncToken":"$(zones1/syncToken)"}"#, as: "zones2"),
            ask("changes/database", #"{"syncToken":"$(zones2/syncToken)"}"#, as: "zones3"),
            ask("changes/database", #"{"syncToken":"$(zones3/syncToken)"}"#),
            ask("zones/changes", #"{"metaSyncToken":"$(zones1/syncToken)"}"#, as: "meta"),
            ask("zones/changes", #"{"metaSyncToken":"$(meta/metaSyncToken)","syncToken":"x"}"#),
            modify(.person, "private", [("delete", zone("Three"))]),
            modify(.person, "private", [("create", zone("Three"))]),
            modify(.person, "private", [("delete", zone("Four"))]),
            ask("changes/database", #"{"syncToken":"$(zones3/syncToken)"}"#),
            ask("changes/database", #"{"syncToken":"$(zones3/syncToken)"}"#).with(RecordedRequest.extras),
            ask("zones/changes", #"{"syncToken":"$(zones3/syncToken)"}"#),
            ask("changes/database", #"{"syncToken":""}"#), ask("changes/database", #"{"syncToken":"AAAA"}"#),
            ask("changes/database", #"{"syncToken":"A$(zones3/syncToken)"}"#).with(RecordedRequest.extras),
            ask("changes/database", #"{"resultsLimit":0}"#), ask("changes/database", #"{"resultsLimit":"3"}"#),
            ask("changes/database", #"{"resultsLimit":1000}"#),
            RecordedRequest(.friend, "private/changes/database", #"{"syncToken":"$(zones3/syncToken)"}"#),
            RecordedRequest(.friend, "private/changes/database", #"{"syncToken":"$(zones3/syncToken)"}"#)
                .with(RecordedRequest.extras),
        ]
    }
}
