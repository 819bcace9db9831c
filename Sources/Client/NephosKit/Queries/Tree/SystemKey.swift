/// What every record has beside its fields. The raw value is the wire's name; a predicate may use any of three.
enum SystemKey: String, Sendable, CaseIterable {
    case recordName, createdTimestamp, modifiedTimestamp, createdUserRecordName, modifiedUserRecordName
    case parent, share

    /// Knows the wire's names, those of the schema, and those of the properties of `CKRecord`.
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

    /// Whether its value names a record. A string stands for the name then.
    var isReference: Bool { self != .createdTimestamp && self != .modifiedTimestamp }

    /// How the wire spells a field that a predicate or a sort names.
    static func wireName(of field: String) -> String { SystemKey(spelling: field)?.rawValue ?? field }
}

extension PredicateConstant {
    /// As it is compared with that field.
    func forField(_ field: String) -> PredicateConstant {
        guard let key = SystemKey(spelling: field), key.isReference else { return self }
        switch self {
        case .string(let name): return .reference(PredicateReference(recordName: name))
        case .list(let elements): return .list(elements.map { $0.forField(field) })
        default: return self
        }
    }
}
