import CloudKitWire
public import Foundation

/// The ID of a zone: its name, and its owner. IDs are compared by value: names with equal bytes are equal IDs.
///
/// The class is at the top level because nested classes cannot be archived on Linux. In your code, write
/// `CKRecordZone.ID`.
public final class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The name of the zone that every database has: `_defaultZone`.
    public static let defaultZoneName = "_defaultZone"
    /// The ID of the default zone of the person who is signed in.
    public static let `default` = CKRecordZoneID(zoneName: defaultZoneName, ownerName: CKCurrentUserDefaultName)

    /// The name of the zone: 1 to 255 bytes without control characters, `_` not first.
    public let zoneName: String
    /// The owner of the zone: ``CKCurrentUserDefaultName``, or in the shared database the name of another person's user
    /// record.
    public let ownerName: String

    /// Creates an ID. A request that uses an invalid name fails.
    public init(
        zoneName: String = CKRecordZoneID.defaultZoneName, ownerName: String = CKCurrentUserDefaultName
    ) {
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// Creates an ID. An owner of nil stands for the person who is signed in.
    @available(*, deprecated, message: "Omit the owner, or pass a name.")
    @_disfavoredOverload
    public convenience init(zoneName: String = CKRecordZoneID.defaultZoneName, ownerName: String?) {
        self.init(zoneName: zoneName, ownerName: ownerName ?? CKCurrentUserDefaultName)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return zoneName.hasSameBytes(as: other.zoneName) && ownerName.hasSameBytes(as: other.ownerName)
    }

    public override var hash: Int {
        var hasher = Hasher()
        zoneName.hashBytes(into: &hasher)
        ownerName.hashBytes(into: &hasher)
        return hasher.finalize()
    }

    public override var description: String { "<CKRecordZoneID: \(zoneName), owner \(ownerName)>" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKRecordZoneID") }

    /// Reads an ID from an archive; nil if the archive does not contain the ID of a zone.
    public required convenience init?(coder: NSCoder) {
        guard let id = coder.decodeContent(CKRecordZoneID.self, forKey: "CKRecordZoneID") else { return nil }
        self.init(zoneName: id.zoneName, ownerName: id.ownerName)
    }
}

extension CKRecordZoneID: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("zoneName", zoneName)
        writer.archive("ownerName", ownerName)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var (name, owner): (String?, String?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "zoneName": name = try reader.archived()
            case "ownerName": owner = try reader.archived()
            default: break
            }
        }
        guard let name, let owner else { throw WireError("this is not the ID of a zone") }
        self.init(zoneName: name, ownerName: owner)
    }
}
