import CloudKitWire
package import NephosStorage

/// What removed types and fields mean for records that are still stored (docs/protocol.md, G4 to G6): they are hidden
/// until the environment is reset, and what is made again under the same name is new.
extension RecordRow {
    /// The fields without those of removed ones: what a record saved under an older epoch of its type holds under the
    /// name of a field that is not there, or is there again.
    package func liveFields(of type: RecordType) -> Bytes {
        guard fieldsEpoch < type.row.epoch else { return fields }
        let dead = CanonicalFields.names(in: fields).filter { name in
            type.fields[name].map { $0.epoch > fieldsEpoch } ?? true
        }
        return CanonicalFields.merge(stored: fields, patch: FieldsPatch(removed: dead))
    }
}

extension Catalog {
    /// Whether the type of a stored record was removed since, which hides the record.
    func hides(_ record: RecordStub) -> Bool { type(record.type) == nil }

    /// Whether any type was ever removed, so that hidden records may stand among those that are read.
    var mayHideRecords: Bool { nextTypeNumber - 1 != TypeNumber(types.count) }

    /// Fields that the schema of this environment has, system fields not counted.
    var fieldCount: Int {
        types.values.reduce(0) { count, type in count + type.fields.values.count { !$0.isOfSystem } }
    }
}

extension FieldRow {
    /// Whether the row holds the indexes of a system field; those names begin with an underscore, no others do.
    var isOfSystem: Bool { name.bytes.first == UInt8(ascii: "_") }
}
