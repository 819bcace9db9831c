import NephosTesting

/// The record of all measurements: ten fields of nine types, 800 bytes with everything an answer adds.
enum BenchRecord {
    /// A field dictionary's text without its braces, as clients send it.
    private static let fields = """
        "title":{"value":"A note about nothing in particular","type":"STRING"},\
        "text":{"value":"The quick brown fox jumps over the lazy dog; ¡qué rápido!","type":"STRING"},\
        "count":{"value":1234567,"type":"INT64"},"done":{"value":1,"type":"INT64"},\
        "ratio":{"value":0.70710678,"type":"DOUBLE"},"day":{"value":1700000000123,"type":"TIMESTAMP"},\
        "data":{"value":"AAECAwQFBgcICQoLDA0ODw==","type":"BYTES"},\
        "place":{"value":{"latitude":52.52,"longitude":13.405},"type":"LOCATION"},\
        "tags":{"value":["one","two"],"type":"STRING_LIST"},\
        "next":{"value":{"recordName":"r0","action":"NONE"},"type":"REFERENCE"}
        """

    /// A `records/modify` body that makes records of these names.
    static func modify(zone: String, names: [String]) -> [UInt8] {
        let operations = names.map {
            #"{"operationType":"create","record":{"recordName":"\#($0)","recordType":"Note","fields":{\#(fields)}}}"#
        }
        return Array(#"{"zoneID":{"zoneName":"\#(zone)"},"operations":[\#(operations.joined(separator: ","))]}"#.utf8)
    }
}
