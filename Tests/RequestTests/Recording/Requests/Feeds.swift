import RequestTesting

/// Feeds of zones, forward and backward, from tokens of earlier responses.
enum Feeds {
    static var requests: [RecordedRequest] { followed + reversed + options + refused + several + older + clientTokens }

    static let zone = #"{"zoneName":"Followed"}"#

    static func ask(
        _ members: String..., zone: String = zone, by caller: SmallCloud.Caller = .person, as name: String? = nil
    ) -> RecordedRequest {
        let wish = ([#""zoneID":\#(zone)"#] + members).joined(separator: ",")
        return RecordedRequest(caller, "private/changes/zone", #"{"zones":[{\#(wish)}]}"#, as: name)
    }

    static func token(_ name: String) -> String { #""syncToken":"$(\#(name)/zones/0/syncToken)""# }

    static func modify(_ operations: String..., members: String = #""atomic":true"#) -> RecordedRequest {
        Saves.modify(zone: "Followed", operations, members)
    }

    static func make(_ name: String) -> String {
        Saves.operation("create", name, Saves.thing, Saves.fields(#""int":{"value":1},"time":{"value":2}"#))
    }

    private static var followed: [RecordedRequest] {
        [
            RecordedRequest(
                .person, "private/zones/modify",
                Endpoints.saving(#"{"operationType":"create","zone":{"zoneID":\#(zone)}}"#)),
            ask(as: "empty"), modify(make("r1"), make("r2"), make("r3"), make("r4")),
            ask(#""resultsLimit":3"#, as: "first"), ask(token("first"), as: "second"), ask(token("second")),
            ask(token("empty"), #""resultsLimit":200"#),
            modify(
                Saves.operation("delete", "r2"),
                Saves.operation("forceUpdate", "r1", Saves.fields(#""int":{"value":2}"#))),
            ask(token("second"), as: "third"), ask(token("first")), ask(), ask(#""syncToken":"""#, as: "end"),
            ask(token("end")),
            ask(token("second")).with(RecordedRequest.extras),
            modify(make("r2"), make("r5"), Saves.operation("delete", "r4")), ask(token("third"), as: "fourth"),
            ask(token("second")),
        ]
    }

    private static var reversed: [RecordedRequest] {
        [
            ask(#""reverse":true,"resultsLimit":2"#, as: "back"), ask(#""reverse":true"#, token("back"), as: "back2"),
            ask(#""reverse":true"#, token("back2")), ask(token("back")), ask(#""reverse":true"#, token("first")),
            ask(#""reverse":true,"syncToken":"""#), ask(#""reverse":"yes""#),
        ]
    }

    private static var options: [RecordedRequest] {
        [
            ask(#""desiredKeys":["int"]"#), ask(#""desiredKeys":[]"#), ask(#""numbersAsStrings":true"#),
            ask(#""numberAsStrings":true"#),
            ask(#""desiredRecordTypes":["Note"]"#), ask(#""desiredRecordTypes":["Thing","None"],"resultsLimit":1"#),
            ask(#""desiredRecordTypes":[]"#), ask(#""resultsLimit":"1""#), ask(#""resultsLimit":0"#),
            ask(#""resultsLimit":201"#),
            RecordedRequest(
                .person, "private/changes/zone",
                #"{"zones":[{"zoneID":\#(zone)},{"zoneID":\#(zone),"desiredKeys":["time"],"resultsLimit":2}],"desiredKeys":[],"resultsLimit":1}"#
            ),
        ]
    }
}
