import NephosTesting

/// One operation on a record of the writers: a number, a text derived from it, so that a mixed-up or truncated record is detected
/// when it is read, and for some numbers a file.
struct Item {
    let name: String
    /// Nil deletes the record.
    let value: Int64?
    let parent: String?

    static func save(_ name: String, _ value: Int64, child parent: String? = nil) -> Item {
        Item(name: name, value: value, parent: parent)
    }

    static func delete(_ name: String) -> Item { Item(name: name, value: nil, parent: nil) }

    var attachment: Attachment? { value.flatMap { Attachment(of: $0) } }

    /// - Parameter file: The response to the upload of its file; null removes the record's previous one.
    func operation(file: JSON) -> JSON {
        guard let value else { return ["operationType": "forceDelete", "record": ["recordName": .string(name)]] }
        return [
            "operationType": "forceUpdate",
            "record": [
                "recordName": .string(name), "recordType": "Item",
                "fields": [
                    "value": ["value": .int(value), "type": "INT64"],
                    "text": ["value": .string(Item.text(value)), "type": "STRING"],
                    "family": parent.map {
                        ["value": ["recordName": .string($0), "action": "DELETE_SELF"], "type": "REFERENCE"]
                    } ?? .absent,
                    "file": ["value": file, "type": "ASSETID"],
                ],
            ],
        ]
    }

    /// The number in a record. - Throws: ``WrongAnswer`` if it is not a complete record of ours.
    static func value(of record: JSON) throws -> Int64 {
        let fields = record["fields"]
        guard let value = fields["value"]["value"].int64, fields["text"]["value"].string == text(value),
            hasFile(fields["file"]["value"], of: value)
        else { throw WrongAnswer(description: "a damaged record: \(record)") }
        return value
    }

    /// Whether a record has the required file, or none if none is required. ``Wire/requireFile(of:)`` reads it.
    private static func hasFile(_ file: JSON, of value: Int64) -> Bool {
        guard let attachment = Attachment(of: value) else { return file.isAbsent }
        return file["size"].int64 == Int64(attachment.size) && file["fileChecksum"].string?.isEmpty == false
    }

    /// Up to a few pages of the database long.
    private static func text(_ value: Int64) -> String {
        let length = Int(truncatingIfNeeded: UInt64(bitPattern: value) &* 2_654_435_761 % 1_009)
        return "\(value)-" + String(repeating: "abcdefgh\(value % 10)", count: length < 900 ? length / 10 : length)
    }
}
