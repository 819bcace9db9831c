public import CloudKitWire

/// One difference between a schema and an older one.
public enum SchemaChange: Sendable, Hashable {
    case recordTypeAdded(Name)
    /// Its fields, indexes and grants are removed with it.
    case recordTypeRemoved(Name)
    case fieldAdded(Schema.Field, in: Name)
    case fieldRemoved(Schema.Field, in: Name)
    case dataTypeChanged(of: Name, from: Schema.DataType, to: Schema.DataType, in: Name)
    /// For fields and system fields that existed before, and for system fields of new record types.
    case optionsAdded(Schema.Options, to: Name, in: Name)
    case optionsRemoved(Schema.Options, from: Name, in: Name)
    case roleAdded(Name)
    case roleRemoved(Name)
    case rightsAdded(Schema.Rights, to: Name, on: Name)
    case rightsRemoved(Schema.Rights, from: Name, on: Name)

    /// Whether it changes permissions.
    public var isPermission: Bool {
        switch self {
        case .roleAdded, .roleRemoved, .rightsAdded, .rightsRemoved: true
        case .recordTypeAdded, .recordTypeRemoved, .fieldAdded, .fieldRemoved, .dataTypeChanged, .optionsAdded,
            .optionsRemoved:
            false
        }
    }

    /// Whether stored values would be lost.
    public var losesData: Bool {
        switch self {
        case .recordTypeRemoved, .fieldRemoved: true
        case .dataTypeChanged(_, let old, let new, _): !old.mayBecome(new)
        case .recordTypeAdded, .fieldAdded, .optionsAdded, .optionsRemoved, .roleAdded, .roleRemoved, .rightsAdded,
            .rightsRemoved:
            false
        }
    }
}

extension SchemaChange: CustomStringConvertible {
    /// One line for people: `+ field title STRING QUERYABLE in Article`.
    public var description: String { losesData ? "\(words) (data is lost)" : words }

    private var words: String {
        switch self {
        case .recordTypeAdded(let type): "+ record type \(type.shown)"
        case .recordTypeRemoved(let type): "- record type \(type.shown)"
        case .fieldAdded(let field, let type): "+ field \(field.name.shown) \(field.spellingOfType) in \(type.shown)"
        case .fieldRemoved(let field, let type): "- field \(field.name.shown) \(field.spellingOfType) in \(type.shown)"
        case .dataTypeChanged(let field, let old, let new, let type):
            "~ field \(field.shown) in \(type.shown): \(old.words) becomes \(new.words)"
        case .optionsAdded(let options, let field, let type):
            "+ index \(options.words.joined(separator: " ")) on \(field.shown) in \(type.shown)"
        case .optionsRemoved(let options, let field, let type):
            "- index \(options.words.joined(separator: " ")) on \(field.shown) in \(type.shown)"
        case .roleAdded(let role): "+ role \(role.shown)"
        case .roleRemoved(let role): "- role \(role.shown)"
        case .rightsAdded(let rights, let role, let type):
            "+ grant \(rights.words.joined(separator: ", ")) to \(role.shown) on \(type.shown)"
        case .rightsRemoved(let rights, let role, let type):
            "- grant \(rights.words.joined(separator: ", ")) to \(role.shown) on \(type.shown)"
        }
    }
}
