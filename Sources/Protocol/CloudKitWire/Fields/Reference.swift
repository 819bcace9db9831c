/// What a reference means for its target (docs/protocol.md, "Field values").
public enum ReferenceAction: String, Sendable, Hashable, CaseIterable {
    /// The target may be missing.
    case none = "NONE"
    /// Whoever holds the reference is deleted with its target.
    case deleteSelf = "DELETE_SELF"
    /// The target must exist at the save, and stays while it is named.
    case validate = "VALIDATE"
}

/// One record names another of its zone.
public struct FieldReference: Sendable, Hashable {
    public var target: Name
    public var action: ReferenceAction

    public init(target: Name, action: ReferenceAction) {
        self.target = target
        self.action = action
    }
}

/// The zone of the record whose fields are read: references may not leave it, and outside of public databases they
/// are stored with it.
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

    /// - Parameter ownerRecordName: nil leaves the key out.
    static func canonical(zoneName: Name, ownerRecordName: Name?) -> [UInt8] {
        var writer = JSONWriter(reserving: 128)
        writer.beginObject()
        if let ownerRecordName { writer.member("ownerRecordName", ownerRecordName) }
        writer.member("zoneName", zoneName)
        writer.member("zoneType", ZoneIDDictionary.zoneType(of: zoneName))
        writer.endObject()
        return writer.bytes
    }

    /// Whether a zone ID of the request names this zone. Without an owner, or with an alias of the caller, it means
    /// the owner of this zone.
    func isNamed(by zone: ZoneIDDictionary) -> Bool {
        guard zone.zoneName == zoneName else { return false }
        guard let owner = zone.ownerRecordName else { return true }
        return owner == ownerRecordName || ZoneIDDictionary.isCallerAlias(owner)
    }
}
