import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension RecordRow {
    /// The INT64 fields of the record.
    var numbers: [Name: Int64] {
        let names = CanonicalFields.names(in: fields)
        var numbers: [Name: Int64] = [:]
        CanonicalFields.read(names, in: fields) { place, value in
            if value.type == .int64, let number = value.integer { numbers[names[place].owned] = number }
        }
        return numbers
    }
}

extension RecordType {
    /// The patch that edits make to a record of the type; nil if they change nothing, or the schema lacks a field.
    func patch(_ edits: [(field: Name, edit: FieldEdit)]) -> FieldsPatch? {
        guard !edits.isEmpty, edits.allSatisfy({ fields[$0.field] != nil }) else { return nil }
        var json = JSONWriter()
        json.write(edits)
        let zone = ReferenceZone(zoneName: defaultZoneName, ownerRecordName: "", isPublic: true)
        return try? FieldsInput(json: json.bytes[...]).patch(recordType: row.name, zone: zone) { knownFields[$0] }
    }
}
