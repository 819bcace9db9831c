public import Foundation

/// Names a zone: its name, and whose it is. A value: equal names make equal ids.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write `CKRecordZone.ID`.
public final class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The name of the zone that every database has: `_defaultZone`.
    public static let defaultZoneName = "_defaultZone"
    /// The default zone of who is signed in.
    public static let `default` = CKRecordZoneID(zoneName: defaultZoneName, ownerName: CKCurrentUserDefaultName)

    /// The name of the zone: 1 to 255 bytes without control characters, `_` not first.
    public let zoneName: String
    /// ``CKCurrentUserDefaultName``, or the name of another person's user record, in the shared database.
    public let ownerName: String

    /// Creates an ID. Names that cannot be fail the request that uses them.
    public init(
        zoneName: String = CKRecordZoneID.defaultZoneName, ownerName: String = CKCurrentUserDefaultName
    ) {
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// Creates an ID; nil stands for who is signed in.
    @available(*, deprecated, message: "Omit the owner, or pass a name.")
    @_disfavoredOverload
    public convenience init(zoneName: String = CKRecordZoneID.defaultZoneName, ownerName: String?) {
        self.init(zoneName: zoneName, ownerName: ownerName ?? CKCurrentUserDefaultName)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return zoneName == other.zoneName && ownerName == other.ownerName
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(zoneName)
        hasher.combine(ownerName)
        return hasher.finalize()
    }

    public override var description: String { "<CKRecordZoneID: \(zoneName), owner \(ownerName)>" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(zoneName as NSString, forKey: "zoneName")
        coder.encode(ownerName as NSString, forKey: "ownerName")
    }

    /// Nil for an archive that holds no zone's id.
    public required convenience init?(coder: NSCoder) {
        guard let zoneName = coder.decodeString(forKey: "zoneName"),
            let ownerName = coder.decodeString(forKey: "ownerName")
        else { return nil }
        self.init(zoneName: zoneName, ownerName: ownerName)
    }
}
