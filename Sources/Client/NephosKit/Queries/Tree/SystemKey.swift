/// A system field, which every record has. The raw value is its name in the protocol; a predicate can use any of
/// several spellings.
enum SystemKey: String, Sendable, CaseIterable {
    case recordName, createdTimestamp, modifiedTimestamp, createdUserRecordName, modifiedUserRecordName
    case parent, share

    /// Accepts the names in the protocol, those in the schema, and those of the properties of `CKRecord`.
    init?(spelling: String) {
        switch spelling {
        case "recordName", "___recordID", "recordID": self = .recordName
        case "createdTimestamp", "___createTime", "creationDate": self = .createdTimestamp
        case "modifiedTimestamp", "___modTime", "modificationDate": self = .modifiedTimestamp
        case "createdUserRecordName", "___createdBy", "creatorUserRecordID": self = .createdUserRecordName
        case "modifiedUserRecordName", "___modifiedBy", "lastModifiedUserRecordID": self = .modifiedUserRecordName
        case "parent", "___parent": self = .parent
        case "share", "___share": self = .share
        default: return nil
        }
    }

    /// Whether its value refers to a record. A string that it is compared with is then the name of a record.
    var isReference: Bool { self != .createdTimestamp && self != .modifiedTimestamp }

    /// The name in the protocol of a field that a predicate or a sort descriptor names.
    static func wireName(of field: String) -> String { SystemKey(spelling: field)?.rawValue ?? field }
}

extension PredicateConstant {
    /// The constant in the form in which it is compared with a field.
    func forField(_ field: String) -> PredicateConstant {
        guard let key = SystemKey(spelling: field), key.isReference else { return self }
        switch self {
        case .string(let name): return .reference(PredicateReference(recordName: name))
        case .list(let elements): return .list(elements.map { $0.forField(field) })
        default: return self
        }
    }
}
