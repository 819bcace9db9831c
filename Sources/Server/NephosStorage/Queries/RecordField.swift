public import CloudKitWire

/// The value of a record that a condition, an order or an index uses.
public enum RecordField: Sendable, Hashable {
    /// A field of the type. A value of this name in a record older than `epoch` belongs to a field that was removed,
    /// and counts as missing (``RecordRow/fieldsEpoch``).
    case field(Name, FieldType, epoch: Int64)
    /// The name of the record.
    case recordName
    /// The time at which the record was created.
    case createdAt
    /// The user who created the record.
    case createdBy
    /// The time at which the record was last saved.
    case modifiedAt
    /// The user who last saved the record.
    case modifiedBy
    /// The name of the record's parent.
    case parent
    /// The same as members of a share see it: what is above the record that is shared is not shared.
    case parentInShare
    /// The number of the share that the record is in (``RecordRow/share``).
    case share
}
