import CloudKitWire
public import Foundation

/// The ID of a record: its name, and the zone that it is in. IDs are compared by value: names with equal bytes are equal IDs.
///
/// The class is at the top level because nested classes cannot be archived on Linux. In your code, write `CKRecord.ID`.
public final class CKRecordID: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The name of the record: 1 to 255 bytes without control characters, `_` not first. A request that uses an invalid
    /// name fails.
    public let recordName: String
    /// The zone that the record is in.
    public let zoneID: CKRecordZoneID

    /// Creates an ID. A request that uses an invalid name fails.
    ///
    /// - Parameter recordName: The name of the record; a new random name if it is omitted.
    public init(recordName: String = UUID().uuidString, zoneID: CKRecordZoneID = .default) {
        self.recordName = recordName
        self.zoneID = zoneID
    }

    /// Creates an ID in the default zone. It is a separate initializer so that it can be passed as a function:
    /// `names.map(CKRecord.ID.init(recordName:))`.
    public convenience init(recordName: String) { self.init(recordName: recordName, zoneID: .default) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return recordName.hasSameBytes(as: other.recordName) && zoneID == other.zoneID
    }

    public override var hash: Int {
        var hasher = Hasher()
        recordName.hashBytes(into: &hasher)
        hasher.combine(zoneID)
        return hasher.finalize()
    }

    public override var description: String {
        "<CKRecordID: \(recordName), zone \(zoneID.zoneName), owner \(zoneID.ownerName)>"
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKRecordID") }

    /// Reads an ID from an archive; nil if the archive does not contain the ID of a record.
    public required convenience init?(coder: NSCoder) {
        guard let id = coder.decodeContent(CKRecordID.self, forKey: "CKRecordID") else { return nil }
        self.init(recordName: id.recordName, zoneID: id.zoneID)
    }
}

extension CKRecordID: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("recordName", recordName)
        writer.archive("zoneID", zoneID)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var (name, zone): (String?, CKRecordZoneID?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": name = try reader.archived()
            case "zoneID": zone = try reader.archived()
            default: break
            }
        }
        guard let name, let zone else { throw WireError("this is not the ID of a record") }
        self.init(recordName: name, zoneID: zone)
    }
}
