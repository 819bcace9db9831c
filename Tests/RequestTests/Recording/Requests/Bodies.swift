import RequestTesting

/// Bodies that an endpoint does not accept: no JSON, other types, lists that are too long, unknown keys.
enum Bodies {
    static var requests: [RecordedRequest] {
        documents + keys + lists + [RecordedRequest(.person, "private/zones/lookup", "\u{FEFF}{}"), illFormed] + large
    }

    /// Endpoints that read their bodies.
    private static let readers = Endpoints.all.map(\.path).filter { !$0.hasPrefix("users/") && !$0.hasSuffix("/list") }

    private static var documents: [RecordedRequest] {
        readers.flatMap { path in
            ["", "[]", #"{"zoneID":"Notes"}"#].map { RecordedRequest(.person, "private/\(path)", $0) }
        }
            + [
                "null", "1", "{", "{}}", #"{"zones":[}"#, #"{"a":1,"a":2,"zones":[]}"#, #"{"zones":[],"zones":[]}"#,
                #"{"zones":[],"zo\u006Ees":[]}"#, "{'zones':[]}", #"{"zones":[],}"#, #"{"zones":[01]}"#,
                #"{"zones":[{"zoneName":"\uD800"}]}"#, #"{"zones":[{"zoneName":"a\#u{0}"}]}"#, #"{"zones":[],"x":NaN}"#,
                #"{"zones":[],"x":1e400}"#, #" { "zones" : [ ] } "#, #"{"zones":[],"unknown":{"deep":[1,{"a":null}]}}"#,
                String(repeating: "[", count: 40), #"{"zones":[],"x":"# + String(repeating: "[", count: 31) + "}",
            ].map { RecordedRequest(.person, "private/zones/lookup", $0) }
            + ["{", #"{"zones":1}"#].map {
                RecordedRequest(.person, "private/zones/lookup", $0, headers: RecordedRequest.extras)
            }
    }

    /// A key of the protocol with a value of another type.
    private static var keys: [RecordedRequest] {
        [
            ("records/query", ["query"]), ("records/lookup", ["records"]),
            ("records/modify", ["operations", "atomic"]),
            ("records/changes", ["zoneID", "syncToken"]), ("zones/lookup", ["zones"]), ("zones/modify", ["operations"]),
            ("changes/zone", ["zones", "resultsLimit"]), ("changes/database", ["syncToken", "resultsLimit"]),
            ("zones/changes", ["metaSyncToken"]), ("subscriptions/lookup", ["subscriptions"]),
            ("subscriptions/modify", ["operations"]), ("tokens/create", ["apnsEnvironment"]),
            ("tokens/register", ["apnsToken"]), ("assets/upload", ["tokens"]), ("assets/rereference", ["assets"]),
        ].flatMap { path, keys in
            keys.flatMap { key in
                [#"{"\#(key)":true}"#, #"{"\#(key)":{"a":[]}}"#, #"{"\#(key)":null}"#].map {
                    RecordedRequest(.person, "private/\(path)", $0)
                }
            }
        }
    }

    private static var lists: [RecordedRequest] {
        func many(_ item: String, _ count: Int) -> String {
            Array(repeating: item, count: count).joined(separator: ",")
        }
        let note = #""query":{"recordType":"Note"}"#
        let filter = #"{"comparator":"EQUALS","fieldName":"count","fieldValue":{"value":1}}"#
        return [
            ("records/lookup", #"{"records":[\#(many(#"{"recordName":"n1"}"#, 201))]}"#),
            ("records/modify", #"{"operations":[\#(many(Saves.operation("delete", "a"), 201))]}"#),
            ("zones/lookup", #"{"zones":[\#(many(#"{"zoneName":"Notes"}"#, 201))]}"#),
            ("records/query", #"{\#(note),"desiredKeys":[\#(many(#""a""#, 1_001))]}"#),
            ("records/query", #"{"query":{"recordType":"Note","filterBy":[\#(many(filter, 21))]}}"#),
            ("records/query", #"{"query":{"recordType":"Note","sortBy":[\#(many(#"{"fieldName":"count"}"#, 9))]}}"#),
            ("changes/zone", #"{"zones":[],"desiredRecordTypes":[\#(many(#""T""#, 501))]}"#),
            ("assets/upload", #"{"tokens":[\#(many(#"{"fieldName":"file"}"#, 201))]}"#),
        ].map { RecordedRequest(.person, "private/\($0)", $1) }
    }

    private static var illFormed: RecordedRequest {
        var request = RecordedRequest(.person, "private/zones/lookup")
        request.body = Array(#"{"zones":[{"zoneName":""#.utf8) + [0xFF, 0xC0] + Array(#""}]}"#.utf8)
        return request
    }

    /// Bodies that are received once their sender is known.
    private static var large: [RecordedRequest] {
        let body = #"{"zones":[],"x":"\#(String(repeating: "x", count: 20_000))"}"#
        return [SmallCloud.Caller.stranger, .app, .person, .key].map {
            RecordedRequest($0, "private/zones/lookup", body)
        }
            + [RecordedRequest(.person, "/database/1/iCloud.org.nephos.unknown/development/private/zones/lookup", body)]
    }
}
