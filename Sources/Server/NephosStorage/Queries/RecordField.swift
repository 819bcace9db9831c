public import CloudKitWire

/// What a condition, an order or an index looks at.
public enum RecordField: Sendable, Hashable {
    /// A field of the type. What records hold under its name since before `epoch` belongs to a field that was
    /// removed, and counts as missing (``RecordRow/fieldsEpoch``).
    case field(Name, FieldType, epoch: Int64)
    case recordName
    case createdAt
    case createdBy
    case modifiedAt
    case modifiedBy
    case parent
}
