/// A zone in a response.
public struct ZoneDictionary: Sendable {
    /// A zone ID dictionary (``ZoneIDDictionary/encoded(zoneName:ownerRecordName:)``).
    public var zoneID: ArraySlice<UInt8>
    /// Base64; nil omits the key (the default zone has no feed).
    public var syncToken: ArraySlice<UInt8>?
    /// Whether saves can be atomic, which only custom zones support. nil omits the key.
    public var atomic: Bool?
    /// nil omits the key.
    public var deleted: Bool?

    public init(
        zoneID: ArraySlice<UInt8>, syncToken: ArraySlice<UInt8>? = nil, atomic: Bool? = nil, deleted: Bool? = false
    ) {
        self.zoneID = zoneID
        self.syncToken = syncToken
        self.atomic = atomic
        self.deleted = deleted
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("zoneID", raw: zoneID)
        if let syncToken { writer.member("syncToken", Name(bytes: syncToken)) }
        if let atomic { writer.member("atomic", atomic) }
        if let deleted { writer.member("deleted", deleted) }
        writer.endObject()
    }
}
