/// When and by whom a record was created or changed.
public struct RecordStamp: Sendable, Equatable {
    /// Milliseconds since 1970 UTC.
    public var timestamp: Int64
    public var user: UserID

    public init(timestamp: Int64, user: UserID) {
        self.timestamp = timestamp
        self.user = user
    }

    /// `{"timestamp":…,"userRecordName":"_…","deviceID":"iCloud"}`. Some clients ignore the whole entry if one of the three keys is
    /// missing.
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append("{\"timestamp\":")
        bytes.appendDecimal(timestamp)
        bytes.append(",\"userRecordName\":\"_")
        user.appendHexadecimal(to: &bytes)
        bytes.append("\",\"deviceID\":\"iCloud\"}")
    }
}

/// A record in a response.
public struct RecordDictionary: Sendable {
    public var recordName: Name
    public var recordType: Name
    /// Sequence number of the last save; written as ``ChangeTag``.
    public var changeTag: Int64
    /// Written instead of ``changeTag``, as 16 hexadecimal digits.
    public var otherTag: UInt64?
    /// Canonical bytes.
    public var fields: ArraySlice<UInt8>
    /// The fields to write; nil for all.
    public var desiredKeys: DesiredKeys?
    public var numbersAsStrings: Bool
    public var created: RecordStamp
    public var modified: RecordStamp
    /// A zone ID dictionary (``ZoneIDDictionary/encoded(zoneName:ownerRecordName:)``), encoded once for all records.
    public var zoneID: ArraySlice<UInt8>
    public var parent: Name?
    /// Provides additional members for its assets; nil if it has none.
    public var assets: AssetMembers.Source?
    /// Members of a record that is shared, or of a share, with a comma before each; nil for other records.
    public var shareMembers: [UInt8]?

    // Inlined, because it is called for each record of a response.
    @inlinable
    public init(
        recordName: Name, recordType: Name, changeTag: Int64, fields: ArraySlice<UInt8>,
        desiredKeys: DesiredKeys? = nil, numbersAsStrings: Bool = false, created: RecordStamp, modified: RecordStamp,
        zoneID: ArraySlice<UInt8>, parent: Name? = nil, assets: AssetMembers.Source? = nil, otherTag: UInt64? = nil,
        shareMembers: [UInt8]? = nil
    ) {
        self.shareMembers = shareMembers
        self.otherTag = otherTag
        self.recordName = recordName
        self.recordType = recordType
        self.changeTag = changeTag
        self.fields = fields
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
        self.created = created
        self.modified = modified
        self.zoneID = zoneID
        self.parent = parent
        self.assets = assets
    }

    /// An estimate of the bytes that ``write(to:)`` appends; an upper bound if names need no escapes.
    public var bytesEstimate: Int {
        recordName.bytes.count + recordType.bytes.count + fields.count + zoneID.count
            + (parent?.bytes.count ?? 0) + 420
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.bytes.append("\"recordName\":")
        writer.bytes.appendQuoted(recordName.bytes)
        writer.bytes.append(",\"recordType\":")
        writer.bytes.appendQuoted(recordType.bytes)
        writer.bytes.append(",\"recordChangeTag\":\"")
        if let otherTag {
            Hexadecimal.append(otherTag, to: &writer.bytes)
        } else {
            ChangeTag.append(changeTag, to: &writer.bytes)
        }
        writer.bytes.append("\",\"fields\":")
        CanonicalFields.write(
            fields, selecting: desiredKeys, numbersAsStrings: numbersAsStrings, assets: assets, to: &writer)
        writer.bytes.append(",\"pluginFields\":{},\"created\":")
        created.append(to: &writer.bytes)
        writer.bytes.append(",\"modified\":")
        modified.append(to: &writer.bytes)
        writer.bytes.append(",\"deleted\":false,\"zoneID\":")
        writer.bytes.append(contentsOf: zoneID)
        if let parent {
            writer.bytes.append(",\"parent\":{\"recordName\":")
            writer.bytes.appendQuoted(parent.bytes)
            writer.bytes.append(UInt8(ascii: "}"))
        }
        if let shareMembers { writer.bytes.append(contentsOf: shareMembers) }
        writer.endObject()
    }
}

/// A deleted record: the response to its deletion, and its tombstone in a feed.
public struct DeletedRecordDictionary: Sendable {
    public var recordName: Name
    /// Omitted if nil; strict decoders reject null.
    public var recordType: Name?
    /// Written in feeds.
    public var zoneID: ArraySlice<UInt8>?

    public init(recordName: Name, recordType: Name? = nil, zoneID: ArraySlice<UInt8>? = nil) {
        self.recordName = recordName
        self.recordType = recordType
        self.zoneID = zoneID
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("recordName", recordName)
        if let recordType { writer.member("recordType", recordType) }
        writer.member("deleted", true)
        if let zoneID { writer.member("zoneID", raw: zoneID) }
        writer.endObject()
    }
}
