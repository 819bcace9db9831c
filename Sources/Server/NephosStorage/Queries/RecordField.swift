public import CloudKitWire

/// The value that a condition, an order or an index uses.
public enum RecordField: Sendable, Hashable {
    /// A field of the type. A value under its name in a record older than `epoch` belongs to a field that was removed, and
    /// counts as missing (``RecordRow/fieldsEpoch``).
    case field(Name, FieldType, epoch: Int64)
    /// The name of the record.
    case recordName
    /// When the record was created.
    case createdAt
    /// Who created the record.
    case createdBy
    /// When the record was saved last.
    case modifiedAt
    /// Who saved the record last.
    case modifiedBy
    /// The name of the record's parent.
    case parent
}
