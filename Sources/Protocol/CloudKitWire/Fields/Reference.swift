/// The effect of a reference on its target (docs/protocol.md, "Field values").
public enum ReferenceAction: String, Sendable, Hashable, CaseIterable {
    /// The target may not exist.
    case none = "NONE"
    /// The referring record is deleted with its target.
    case deleteSelf = "DELETE_SELF"
    /// The target must exist at the time of the save, and cannot be deleted while it is referenced.
    case validate = "VALIDATE"
}

/// A reference from one record to another in its zone.
public struct FieldReference: Sendable, Hashable {
    public var target: Name
    public var action: ReferenceAction

    public init(target: Name, action: ReferenceAction) {
        self.target = target
        self.action = action
    }
}

/// The zone of the record whose fields are read: references may not leave it, and outside of public databases it is stored with
/// them.
public struct ReferenceZone: Sendable {
    public let zoneName: Name
    public let ownerRecordName: Name
    public let isPublic: Bool
    /// The zone ID as canonical bytes (keys in byte order).
    let canonical: [UInt8]

    public init(zoneName: Name, ownerRecordName: Name, isPublic: Bool) {
        self.zoneName = zoneName
        self.ownerRecordName = ownerRecordName
        self.isPublic = isPublic
        canonical = Self.canonical(zoneName: zoneName, ownerRecordName: ownerRecordName)
    }

    /// - Parameter ownerRecordName: nil omits the key.
    static func canonical(zoneName: Name, ownerRecordName: Name?) -> [UInt8] {
        var writer = JSONWriter(reserving: 128)
        writer.beginObject()
        if let ownerRecordName { writer.member("ownerRecordName", ownerRecordName) }
        writer.member("zoneName", zoneName)
        writer.member("zoneType", ZoneIDDictionary.zoneType(of: zoneName))
        writer.endObject()
        return writer.bytes
    }

    /// Whether a zone ID of the request names this zone. A missing owner, or an alias of the caller, means the owner of this zone.
    func isNamed(by zone: ZoneIDDictionary) -> Bool {
        guard zone.zoneName == zoneName else { return false }
        guard let owner = zone.ownerRecordName else { return true }
        return owner == ownerRecordName || ZoneIDDictionary.isCallerAlias(owner)
    }
}
