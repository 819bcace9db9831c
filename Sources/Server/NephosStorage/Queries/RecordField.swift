public import CloudKitWire

/// The value that a condition, an order or an index uses.
public enum RecordField: Sendable, Hashable {
    /// A field of the type. A value under its name in a record older than `epoch` belongs to a field that was removed, and
    /// counts as missing (``RecordRow/fieldsEpoch``).
    case field(Name, FieldType, epoch: Int64)
    case recordName
    case createdAt
    case createdBy
    case modifiedAt
    case modifiedBy
    case parent
}
