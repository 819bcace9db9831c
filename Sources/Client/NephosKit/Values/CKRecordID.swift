public import Foundation

/// Names a record: its name, and the zone it is in. A value: equal names make equal ids.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write `CKRecord.ID`.
public final class CKRecordID: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// 1 to 255 characters, none of them special, `_` not first. One that cannot be fails when it is used.
    public let recordName: String
    /// The zone that the record is in.
    public let zoneID: CKRecordZoneID

    /// Creates an ID. Names that cannot be fail the request that uses them.
    ///
    /// - Parameter recordName: A new random one where it is left out.
    public init(recordName: String = UUID().uuidString, zoneID: CKRecordZoneID = .default) {
        self.recordName = recordName
        self.zoneID = zoneID
    }

    /// In the default zone. It stands by itself so that it can be named: `names.map(CKRecord.ID.init(recordName:))`.
    public convenience init(recordName: String) { self.init(recordName: recordName, zoneID: .default) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return recordName == other.recordName && zoneID == other.zoneID
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(recordName)
        hasher.combine(zoneID)
        return hasher.finalize()
    }

    public override var description: String {
        "<CKRecordID: \(recordName), zone \(zoneID.zoneName), owner \(zoneID.ownerName)>"
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(recordName as NSString, forKey: "recordName")
        coder.encode(zoneID, forKey: "zoneID")
    }

    /// Nil for an archive that holds no record's id.
    public required convenience init?(coder: NSCoder) {
        guard let recordName = coder.decodeString(forKey: "recordName"),
            let zoneID = coder.decodeIfAny(CKRecordZoneID.self, forKey: "zoneID")
        else { return nil }
        self.init(recordName: recordName, zoneID: zoneID)
    }
}
