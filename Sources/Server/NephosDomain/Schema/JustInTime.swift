import CloudKitSchema
import CloudKitWire
import NephosStorage

extension GrantRow.Rights {
    init(_ rights: Schema.Rights) { self.init(rawValue: rights.rawValue) }
}

extension RecordType {
    /// The grants of a type that a save in development has just created.
    static let justInTimeGrants: [Int64: GrantRow.Rights] = Dictionary(
        uniqueKeysWithValues: RoleRow.builtIn.map { role in
            (role.number, GrantRow.Rights(Schema.RecordType.justInTimeGrants[role.name] ?? []))
        })
}

extension FieldRow {
    /// A field that a save in development creates, with the indexes that Apple's service gives it.
    init(justInTime field: PatchedField, of type: RecordTypeRow) {
        let options = Schema.Options.justInTime(field.type, isEncrypted: field.isEncrypted)
        self.init(
            type: type.number, name: field.name.owned, kind: field.type, isEncrypted: field.isEncrypted,
            options: Options(rawValue: options.rawValue), epoch: type.epoch)
    }
}
