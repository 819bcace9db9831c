import NephosTesting

/// The record of all measurements: ten fields of seven types, 800 bytes with everything that a response adds.
enum BenchRecord {
    /// A field dictionary's text without its braces, as clients send it.
    static let fields = """
        "title":{"value":"A short note","type":"STRING"},"kind":{"value":"note","type":"STRING"},\
        "count":{"value":12345,"type":"INT64"},"done":{"value":1,"type":"INT64"},"rank":{"value":7,"type":"INT64"},\
        "ratio":{"value":0.625,"type":"DOUBLE"},"day":{"value":1700000000123,"type":"TIMESTAMP"},\
        "data":{"value":"AAECAwQF","type":"BYTES"},"tags":{"value":["a","b"],"type":"STRING_LIST"},\
        "place":{"value":{"latitude":52.52,"longitude":13.4},"type":"LOCATION"}
        """

    /// A `records/modify` body that creates records with these names.
    static func modify(zone: String, names: [String]) -> [UInt8] {
        let operations = names.map {
            #"{"operationType":"create","record":{"recordName":"\#($0)","recordType":"Note","fields":{\#(fields)}}}"#
        }
        return Array(#"{"zoneID":{"zoneName":"\#(zone)"},"operations":[\#(operations.joined(separator: ","))]}"#.utf8)
    }
}
