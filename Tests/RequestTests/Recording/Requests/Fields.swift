import RequestTesting

/// Values of every type, valid and invalid, with and without their tag; fields that are new, and that are cleared.
enum Fields {
    static var requests: [RecordedRequest] {
        values.enumerated().map { save("f\($0)", $1) } + shapes.enumerated().map { save("g\($0)", $1) } + untyped
            + encrypted
    }

    private static func save(_ name: String, _ fields: String, _ database: String = "private") -> RecordedRequest {
        Saves.modify(in: database, [Saves.operation("forceReplace", name, Saves.thing, Saves.fields(fields))])
    }

    /// Each for one field.
    private static let values = [
        #""text":{"value":"é\n\"\u0000☂"}"#, #""text":{"value":1}"#, #""text":{"value":"a","type":"STRING"}"#,
        #""text":{"value":"a","type":"INT64"}"#, #""text":{"value":"1","type":"TEXT"}"#,
        #""int":{"value":9223372036854775807}"#,
        #""int":{"value":9223372036854775808}"#, #""int":{"value":1.0}"#, #""int":{"value":1.5}"#,
        #""int":{"value":true}"#,
        #""int":{"value":"7","type":"INT64"}"#, #""int":{"value":"7"}"#, #""int":{"value":3e2,"type":"NUMBER_INT64"}"#,
        #""double":{"value":0.1}"#, #""double":{"value":3}"#, #""double":{"value":-0.0}"#, #""double":{"value":1e400}"#,
        #""double":{"value":"1e16","type":"DOUBLE"}"#, #""double":{"value":true}"#, #""time":{"value":1767225600000}"#,
        #""time":{"value":"1.5x","type":"TIMESTAMP"}"#, #""time":{"value":"1767225600000","type":"TIMESTAMP"}"#,
        #""bytes":{"value":"AQID"}"#, #""bytes":{"value":"AQI"}"#, #""bytes":{"value":"AR==","type":"BYTES"}"#,
        #""place":{"value":{"latitude":52.5,"longitude":13.4}}"#,
        #""place":{"value":{"latitude":52,"longitude":13,"altitude":34.5,"course":1,"speed":2,"timestamp":3,"other":4}}"#,
        #""place":{"value":{"latitude":91,"longitude":0}}"#, #""place":{"value":{"latitude":1}}"#,
        #""link":{"value":{"recordName":"f0"}}"#,
        #""link":{"value":{"recordName":"f0","action":"NONE"},"type":"REFERENCE"}"#,
        #""link":{"value":{"recordName":""}}"#, #""link":{"value":{"recordName":"f0","action":"KEEP"}}"#,
        #""link":{"value":{"recordName":"f0","zoneID":{"zoneName":"One"}}}"#, #""words":{"value":["a","b"]}"#,
        #""words":{"value":[]}"#, #""words":{"value":["a",1]}"#, #""words":{"value":["a",null]}"#,
        #""words":{"value":[["a"]]}"#,
        #""words":{"value":["a"],"type":"STRING_LIST"}"#, #""words":{"value":["a"],"type":"LIST"}"#,
        #""words":{"value":"a"}"#,
        #""ints":{"value":[1,"2"],"type":"INT64_LIST"}"#, #""doubles":{"value":[1,2.5]}"#, #""times":{"value":[1,2]}"#,
        #""places":{"value":[{"latitude":1,"longitude":2}]}"#,
        #""links":{"value":[{"recordName":"f0"},{"recordName":"f1"}]}"#,
        #""file":{"value":{"fileChecksum":"AQ==","size":1,"receipt":"x"}}"#, #""file":{"value":"x"}"#,
    ]

    /// The syntax around values.
    private static let shapes = [
        #""text":null"#, #""text":{}"#, #""text":{"value":null}"#, #""text":{"type":"STRING"}"#, #""text":"bare""#,
        #""text":{"value":"a"},"text":{"value":"b"}"#, #""9a":{"value":1}"#, #""a-b":{"value":1}"#,
        #""_a":{"value":1}"#,
        #""cloudkit.a":{"value":1}"#, #""recordName":{"value":"a"}"#, #""___recordID":{"value":"a"}"#,
        #""plain":{"value":"a","extra":1}"#, "",
    ]

    /// The type is inferred from the value.
    private static var untyped: [RecordedRequest] {
        func fresh(_ name: String, _ fields: String) -> String {
            Saves.operation("create", name, #""recordType":"Untyped""#, Saves.fields(fields))
        }
        let first = #"""
            "a":{"value":"a"},"b":{"value":1},"c":{"value":1.5},"d":{"value":true},"e":{"value":{"latitude":1,"longitude":2}},\#
            "f":{"value":{"recordName":"x"}},"g":{"value":["a"]},"h":{"value":[]},"i":{"value":[1.5]}
            """#
        return [
            [fresh("u1", first)], [fresh("u2", #""a":{"value":1}"#)], [fresh("u3", #""b":{"value":1.5}"#)],
            [fresh("u4", #""h":{"value":["a"]}"#)], [fresh("u5", #""h":{"value":[1]}"#)],
            [fresh("u6", #""j":{"value":{"x":1}}"#)],
            [fresh("u7", #""k":{"value":{"fileChecksum":"AQ==","size":1}}"#)],
            [fresh("u8", #""l":{"value":"a"}"#), fresh("u9", #""l":{"value":1}"#)],
        ].map { Saves.modify($0) } + [
            Saves.modify(
                zone: "One", [fresh("u10", #""m":{"value":1}"#), Saves.operation("update", "none", Saves.thing)]),
            Saves.modify(zone: "One", [fresh("u11", #""m":{"value":"a"}"#)]),
            Saves.modify(in: "public", [fresh("u12", #""a":{"value":"a"},"f":{"value":{"recordName":"x"}}"#)]),
        ]
    }

    private static var encrypted: [RecordedRequest] {
        [
            save("h1", #""hidden":{"value":"a"},"hiddenInt":{"value":5}"#),
            save(
                "h2", #""hidden":{"value":"YQ==","isEncrypted":true},"hiddenInt":{"value":"opaque","isEncrypted":true}"#
            ),
            save("h3", #""hidden":{"value":"a","type":"ENCRYPTED_STRING"}"#),
            save("h4", #""text":{"value":"a","isEncrypted":true}"#),
            save("h5", #""novel":{"value":"a","isEncrypted":true}"#), save("h6", #""novel":{"value":"a"}"#),
            save("h7", #""hidden":{"value":"a"}"#, "public"), save("h8", #""hidden":{"value":1,"isEncrypted":true}"#),
        ]
    }
}
