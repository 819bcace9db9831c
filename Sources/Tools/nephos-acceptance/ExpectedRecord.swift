import CloudKitWire
import NephosTesting

/// The expected state of a record when it is read back.
struct ExpectedRecord {
    /// Its index among the records of its type, which determines the operations on it.
    var index: Int
    var shape: RecordShape
    var name: String
    /// Values as they were sent, by field name, which schema files keep to ASCII.
    var fields: [String: JSON]
    /// The tag returned by the last save.
    var changeTag = ""
    /// Server times of the first and of the last save, in milliseconds.
    var createdAt: Int64 = 0
    var modifiedAt: Int64 = 0

    /// How a record returned by the server differs, in words; nil if it does not.
    ///
    /// - Parameter zone: The expected zone; nil in the public database.
    func difference(from record: JSON, zone: String?) -> String? {
        if record["serverErrorCode"] != .absent { return "\(name): answered \(record)" }
        guard record["recordName"] == .string(name) else { return "\(name): answered as \(record["recordName"])" }
        guard record["recordType"] == .string(shape.name) else { return "\(name): of type \(record["recordType"])" }
        guard changeTag.isEmpty || record["recordChangeTag"] == .string(changeTag) else {
            return "\(name): change tag \(record["recordChangeTag"]), not \(changeTag)"
        }
        if let zone, record["zoneID"]["zoneName"] != .string(zone) { return "\(name): in zone \(record["zoneID"])" }
        guard record["fields"].names == fields.keys.sorted() else {
            return "\(name): has fields \(record["fields"].names), not \(fields.keys.sorted())"
        }
        for field in shape.filledFields {
            guard let value = fields[field.name] else { continue }
            let answer = record["fields"][field.name]
            guard answer["type"] == .string(field.type.tag), answer["isEncrypted"].bool ?? false == field.isEncrypted,
                SameValue.same(value, answer["value"], as: field.type, zone: zone)
            else { return "\(name).\(field.name): sent \(value) as \(field.type.tag), answered \(answer)" }
        }
        return nil
    }
}

/// Whether a value was returned as it was sent: whole numbers exactly, others bit by bit.
enum SameValue {
    static func same(_ sent: JSON, _ answered: JSON, as type: FieldType, zone: String?) -> Bool {
        if let element = type.element {
            guard answered.isArray, sent.elements.count == answered.elements.count else { return false }
            return zip(sent.elements, answered.elements).allSatisfy { same($0, $1, as: element, zone: zone) }
        }
        switch type {
        case .double: return sameDouble(sent, answered)
        case .location: return sameLocation(sent, answered)
        case .reference: return sameReference(sent, answered, zone: zone)
        case .asset: return sameFile(sent, answered)
        default: return sent == answered
        }
    }

    /// The content is compared separately (``UploadedFiles/difference(of:_:)``).
    private static func sameFile(_ sent: JSON, _ answered: JSON) -> Bool {
        answered["fileChecksum"] == sent["fileChecksum"] && answered["size"] == sent["size"]
            && answered["receipt"].isAbsent && answered["downloadURL"].string != nil
    }

    private static func sameDouble(_ sent: JSON, _ answered: JSON) -> Bool {
        guard let a = sent.double, let b = answered.double else { return false }
        return a.bitPattern == b.bitPattern
    }

    private static func sameLocation(_ sent: JSON, _ answered: JSON) -> Bool {
        sent.names == answered.names
            && sent.members.allSatisfy {
                $0.name == "timestamp" ? $0.value == answered[$0.name] : sameDouble($0.value, answered[$0.name])
            }
    }

    private static func sameReference(_ sent: JSON, _ answered: JSON, zone: String?) -> Bool {
        let action = sent["action"].isAbsent ? "NONE" : sent["action"]
        return answered["recordName"] == sent["recordName"] && answered["action"] == action
            && (zone == nil || answered["zoneID"]["zoneName"] == .string(zone ?? ""))
    }
}
