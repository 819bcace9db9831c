import RequestTesting

/// Rejected tokens, several zones at once, the older endpoint, and tokens of programs.
extension Feeds {
    static var refused: [RecordedRequest] {
        [
            #""syncToken":"AAAA""#, #""syncToken":"no base64""#, #""syncToken":"A$(first/zones/0/syncToken)""#,
            #""syncToken":"$(zones1/syncToken)""#,
        ].flatMap { [ask($0), ask($0).with(RecordedRequest.extras)] }
            + [
                ask(token("first"), zone: #"{"zoneName":"Notes"}"#), ask(token("first"), by: .friend),
                ask(zone: #"{"zoneName":"_defaultZone"}"#),
                ask(zone: #"{"zoneName":"None"}"#), ask(zone: "{}"), ask(zone: "null"), ask(by: .app), ask(by: .key),
                RecordedRequest(.person, "public/changes/zone", #"{"zones":[{"zoneID":\#(zone)}]}"#),
                RecordedRequest(.person, "shared/changes/zone", #"{"zones":[{"zoneID":\#(zone)}]}"#),
                RecordedRequest(.person, "private/changes/zone", #"{"zones":[{}]}"#),
                RecordedRequest(.person, "private/changes/zone", #"{"zones":[]}"#),
            ]
    }

    /// Deleted zones, beside one that remains.
    static var several: [RecordedRequest] {
        let gone = #"{"zoneName":"Five"}"#
        func modify(_ kind: String) -> RecordedRequest {
            RecordedRequest(
                .person, "private/zones/modify",
                Endpoints.saving(#"{"operationType":"\#(kind)","zone":{"zoneID":\#(gone)}}"#))
        }
        return [
            modify("create"), ask(zone: gone, as: "five"), modify("delete"), ask(token("five"), zone: gone),
            modify("create"),
            ask(token("five"), zone: gone).with(RecordedRequest.extras), ask(zone: gone),
            RecordedRequest(
                .person, "private/changes/zone",
                #"{"zones":[{"zoneID":{"zoneName":"None"}},{"zoneID":\#(zone),"syncToken":"$(fourth/zones/0/syncToken)"},{"zoneID":\#(gone)}]}"#
            ),
        ]
    }

    /// The older endpoint, for one zone.
    static var older: [RecordedRequest] {
        [
            #""resultsLimit":2"#, #""syncToken":"$(first/zones/0/syncToken)""#, #""syncToken":"""#, #""syncToken":"x""#,
            #""reverse":true,"desiredKeys":["int"]"#, #""desiredRecordTypes":["None"]"#,
        ].map { RecordedRequest(.person, "private/records/changes", #"{"zoneID":\#(zone),\#($0)}"#) } + [
            RecordedRequest(.person, "private/records/changes"),
            RecordedRequest(.person, "private/records/changes", #"{"zoneID":{"zoneName":"None"}}"#),
            RecordedRequest(.person, "public/records/changes", #"{"zoneID":{"zoneName":"_defaultZone"}}"#),
        ]
    }

    static var clientTokens: [RecordedRequest] {
        [
            modify(make("r6"), members: #""clientChangeToken":"AQ==""#),
            ask(token("fourth")).with(RecordedRequest.extras),
            ask(token("fourth")),
            modify(Saves.operation("forceDelete", "none"), members: #""clientChangeToken":"Ag==""#),
            ask(token("fourth")).with(RecordedRequest.extras),
            RecordedRequest(
                .person, "private/records/changes", #"{"zoneID":\#(zone),"syncToken":""}"#,
                headers: RecordedRequest.extras),
            modify(Saves.operation("update", "none", Saves.thing), members: #""clientChangeToken":"Aw==""#),
            ask(#""syncToken":"""#).with(RecordedRequest.extras),
            RecordedRequest(.person, "private/changes/database", #"{"syncToken":"$(zones3/syncToken)"}"#),
        ]
    }
}
