import CloudKitWire
package import NephosStorage

/// The effect of removed types and fields on records that are still stored (docs/protocol.md, G4 to G6): they are hidden until
/// the environment is reset, and what is created again under the same name is new.
extension RecordRow {
    /// The fields without removed ones: values that a record saved under an older epoch of its type has for fields that do not
    /// exist, or exist again.
    package func liveFields(of type: RecordType) -> Bytes {
        guard fieldsEpoch < type.row.epoch else { return fields }
        let dead = CanonicalFields.names(in: fields).filter { name in
            type.fields[name].map { $0.epoch > fieldsEpoch } ?? !name.isReserved
        }
        return CanonicalFields.merge(stored: fields, patch: FieldsPatch(removed: dead))
    }
}

extension Catalog {
    /// Whether the type of a stored record has been removed, which hides the record.
    func hides(_ record: RecordStub) -> Bool { type(record.type) == nil }

    /// Whether any type was ever removed, so that hidden records may be among those that are read.
    var mayHideRecords: Bool { nextTypeNumber - 1 != TypeNumber(types.count) }

    /// The number of fields in the schema of this environment, not counting system fields.
    var fieldCount: Int {
        types.values.reduce(0) { count, type in count + type.fields.values.count { !$0.isOfSystem } }
    }
}

extension FieldRow {
    /// Whether the row describes the indexes of a system field; their names begin with an underscore, and no others do.
    var isOfSystem: Bool { name.bytes.first == UInt8(ascii: "_") }
}
