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

    public func encode(with coder: NSCoder) {
        coder.encode(recordName as NSString, forKey: "recordName")
        coder.encode(zoneID, forKey: "zoneID")
    }

    /// Reads an ID from an archive; nil if the archive does not contain the ID of a record.
    public required convenience init?(coder: NSCoder) {
        guard let recordName = coder.decodeString(forKey: "recordName"),
            let zoneID = coder.decodeIfAny(CKRecordZoneID.self, forKey: "zoneID")
        else { return nil }
        self.init(recordName: recordName, zoneID: zoneID)
    }
}
