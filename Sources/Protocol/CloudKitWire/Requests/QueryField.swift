/// What every record has beside its fields, as queries name it.
public enum SystemField: Sendable, Hashable, CaseIterable {
    case recordName, createdTimestamp, modifiedTimestamp, createdUserRecordName, modifiedUserRecordName
    case share, parent, recordChangeTag

    /// Every spelling that clients are known to send: of the wire, of the schema language, of the native framework.
    public init?(spelling name: Name) {
        switch JSONKey(bytes: name.bytes) {
        case "recordName", "___recordID", "___recordId", "recordID": self = .recordName
        case "createdTimestamp", "___createTime", "creationDate": self = .createdTimestamp
        case "modifiedTimestamp", "___modTime", "modificationDate": self = .modifiedTimestamp
        case "createdUserRecordName", "___createdBy", "creatorUserRecordID": self = .createdUserRecordName
        case "modifiedUserRecordName", "___modifiedBy", "lastModifiedUserRecordID": self = .modifiedUserRecordName
        case "share", "___share": self = .share
        case "parent", "___parent": self = .parent
        case "___etag", "recordChangeTag": self = .recordChangeTag
        default: return nil
        }
    }
}

/// What a filter or a sort looks at.
public struct QueryField: Sendable, Hashable {
    /// As the client spelled it.
    public let name: Name
    /// The system field of that name; nil for a field of the record type.
    public let system: SystemField?
    /// Whether the client used the key `systemFieldName`. Under `fieldName`, a field of the schema with the name of a
    /// system field goes first.
    public let isSystemName: Bool

    public init(fieldName name: Name) {
        self.name = name
        system = SystemField(spelling: name)
        isSystemName = false
    }

    /// nil for a name that is no system field's.
    public init?(systemFieldName name: Name) {
        guard let system = SystemField(spelling: name) else { return nil }
        self.name = name
        self.system = system
        isSystemName = true
    }

    public var isSystem: Bool { system != nil }
}

/// Collects the one field that a filter or sort names under either key.
struct QueryFieldReading {
    private var field: QueryField?

    /// Reads `fieldName` or `systemFieldName`; false for other keys.
    mutating func read(_ reader: inout JSONReader, _ key: JSONKey) throws(WireError) -> Bool {
        let found: QueryField
        switch key {
        case "fieldName": found = QueryField(fieldName: try reader.readName())
        case "systemFieldName":
            let name = try reader.readName()
            guard let field = QueryField(systemFieldName: name) else {
                throw WireError("unknown system field '\(WireError.excerpt(name.bytes))'")
            }
            found = field
        default: return false
        }
        guard field == nil else { throw WireError("fieldName and systemFieldName exclude each other") }
        field = found
        return true
    }

    /// nil when neither key was there: token searches over all searchable fields.
    var value: QueryField? { field }
}
