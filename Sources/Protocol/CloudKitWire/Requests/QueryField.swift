/// The fields that every record has in addition to its own, as queries name them.
public enum SystemField: Sendable, Hashable, CaseIterable {
    case recordName, createdTimestamp, modifiedTimestamp, createdUserRecordName, modifiedUserRecordName
    case share, parent, recordChangeTag

    /// Accepts every spelling that clients are known to send: of the wire, of the schema language, of the native framework.
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

/// The field of a filter or a sort.
public struct QueryField: Sendable, Hashable {
    /// As the client spelled it.
    public let name: Name
    /// The system field with that name; nil for a field of the record type.
    public let system: SystemField?
    /// Whether the client used the key `systemFieldName`. With `fieldName`, a schema field with the name of a system field takes
    /// precedence.
    public let isSystemName: Bool

    public init(fieldName name: Name) {
        self.name = name
        system = SystemField(spelling: name)
        isSystemName = false
    }

    /// nil if it is not the name of a system field.
    public init?(systemFieldName name: Name) {
        guard let system = SystemField(spelling: name) else { return nil }
        self.name = name
        self.system = system
        isSystemName = true
    }

    public var isSystem: Bool { system != nil }
}

/// Collects the field of a filter or sort, which is given under either key.
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
        guard field == nil else { throw WireError("use either fieldName or systemFieldName, not both") }
        field = found
        return true
    }

    /// nil if neither key was present: token searches over all searchable fields.
    var value: QueryField? { field }
}
