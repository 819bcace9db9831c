import CloudKitWire
public import NephosStorage

/// The values of one record for a ``FieldSelection``, read in one walk over its fields.
public struct RecordValues: Sendable {
    /// By slot of the selection. They share the record's memory.
    public private(set) var values: [FieldValue]

    public init(_ record: RecordRow, _ selection: FieldSelection) {
        values = [FieldValue](repeating: .missing, count: selection.fields.count)
        for slot in selection.systemSlots { values[slot] = Self.system(selection.fields[slot], of: record) }
        guard !selection.names.isEmpty else { return }
        CanonicalFields.read(selection.names, in: record.fields) { index, stored in
            // A value stored before the field's epoch belonged to a removed field.
            for target in selection.targets[index] where record.fieldsEpoch >= target.epoch {
                values[target.slot] = FieldValue(stored, as: target.type)
            }
        }
    }

    /// The size of the stored values of a record, in bytes.
    static func bytes(of record: RecordRow, _ selection: FieldSelection) -> Int {
        var bytes = 0
        CanonicalFields.read(selection.names, in: record.fields) { _, stored in bytes += stored.json.count }
        return bytes
    }

    public subscript(slot: Int) -> FieldValue { values[slot] }

    private static func system(_ field: RecordField, of record: RecordRow) -> FieldValue {
        switch field {
        case .field: .missing
        case .recordName: .one(.bytes(record.name.bytes))
        case .createdAt: .one(.integer(record.createdAt))
        case .createdBy: .one(.user(record.createdBy))
        case .modifiedAt: .one(.integer(record.modifiedAt))
        case .modifiedBy: .one(.user(record.modifiedBy))
        case .share: record.share.map { .one(.integer($0)) } ?? .missing
        case .parent: record.parent.map { .one(.bytes($0.bytes)) } ?? .missing
        case .parentInShare: record.flags.contains(.shareRoot) ? .missing : system(.parent, of: record)
        }
    }
}
