import NephosTesting

/// The records that writers save: a number, and a text that follows from it, so that a mixed-up or cut-off record is
/// noticed when it is read.
enum Item {
    static func save(_ name: String, _ value: Int64, child parent: String? = nil) -> JSON {
        [
            "operationType": "forceUpdate",
            "record": [
                "recordName": .string(name), "recordType": "Item",
                "fields": [
                    "value": ["value": .int(value), "type": "INT64"],
                    "text": ["value": .string(text(value)), "type": "STRING"],
                    "family": parent.map {
                        ["value": ["recordName": .string($0), "action": "DELETE_SELF"], "type": "REFERENCE"]
                    } ?? .absent,
                ],
            ],
        ]
    }

    static func delete(_ name: String) -> JSON {
        ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
    }

    /// The number in a record. - Throws: ``WrongAnswer`` when it is not a whole record of ours.
    static func value(of record: JSON) throws -> Int64 {
        let fields = record["fields"]
        guard let value = fields["value"]["value"].int64, fields["text"]["value"].string == text(value) else {
            throw WrongAnswer(description: "a damaged record: \(record)")
        }
        return value
    }

    /// Up to a few pages of the database long.
    private static func text(_ value: Int64) -> String {
        let length = Int(truncatingIfNeeded: UInt64(bitPattern: value) &* 2_654_435_761 % 1_009)
        return "\(value)-" + String(repeating: "abcdefgh\(value % 10)", count: length < 900 ? length / 10 : length)
    }
}
