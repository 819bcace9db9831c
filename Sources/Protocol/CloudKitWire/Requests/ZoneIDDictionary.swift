/// The zone that a request names.
public struct ZoneIDDictionary: Sendable, Hashable {
    public var zoneName: Name
    /// nil or an alias of ``isCallerAlias(_:)`` for the caller.
    public var ownerRecordName: Name?

    public init(zoneName: Name, ownerRecordName: Name? = nil) {
        self.zoneName = zoneName
        self.ownerRecordName = ownerRecordName
    }

    init(_ reader: inout JSONReader) throws(WireError) {
        var zoneName: Name?
        var owner: Name?
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "zoneName": zoneName = try reader.readName()
            case "ownerRecordName": owner = try reader.readName()
            default: break
            }
        }
        guard let zoneName else { throw WireError.missing("zoneName") }
        self.init(zoneName: zoneName, ownerRecordName: owner)
    }

    /// Whether it is a name that clients use for the caller.
    public static func isCallerAlias(_ ownerRecordName: Name) -> Bool {
        ownerRecordName.bytes.equals("_defaultOwner") || ownerRecordName.bytes.equals("__defaultOwner__")
    }

    /// Whether a zone name is that of the default zone.
    public static func isDefault(_ zoneName: Name) -> Bool { zoneName.bytes.equals("_defaultZone") }

    static func zoneType(of zoneName: Name) -> String {
        isDefault(zoneName) ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE"
    }

    /// The dictionary for responses, with `zoneType`.
    ///
    /// - Parameter owner: nil omits the key, as in public databases.
    public static func encoded(zoneName: Name, owner: UserID?) -> ArraySlice<UInt8> {
        var writer = JSONWriter(reserving: 160 + zoneName.bytes.count)
        writer.beginObject()
        writer.member("zoneName", zoneName)
        if let owner {
            writer.key("ownerRecordName")
            writer.bytes.append("\"_")
            owner.appendHexadecimal(to: &writer.bytes)
            writer.bytes.append(UInt8(ascii: "\""))
        }
        writer.member("zoneType", zoneType(of: zoneName))
        writer.endObject()
        return writer.bytes[...]
    }

    /// The dictionary for errors, as the request named the zone, with `zoneType`.
    ///
    /// - Parameter ownerRecordName: nil omits the key, for example in the error for a zone that does not exist.
    public static func encoded(zoneName: Name, ownerRecordName: Name?) -> ArraySlice<UInt8> {
        var writer = JSONWriter(reserving: 96 + zoneName.bytes.count)
        writer.beginObject()
        writer.member("zoneName", zoneName)
        if let ownerRecordName { writer.member("ownerRecordName", ownerRecordName) }
        writer.member("zoneType", zoneType(of: zoneName))
        writer.endObject()
        return writer.bytes[...]
    }
}
