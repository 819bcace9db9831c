public import CloudKitSchema
import CloudKitWire
public import NephosStorage

extension Catalog {
    /// The schema of this environment: what an export prints.
    public var schema: Schema {
        let names = Dictionary(uniqueKeysWithValues: roles.values.map { ($0.number, $0.name) })
        return Schema(
            roles: roles.values.filter { $0.number > RoleRow.lastReserved }.map(\.name),
            recordTypes: types.values.map { type in
                Schema.RecordType(
                    name: type.row.name, rows: type.fields.values.compactMap(Schema.Field.init),
                    grants: type.rights(byRole: names))
            })
    }
}

extension RecordType {
    /// The grants of roles, by name. Rights that the world cannot have are left out: they have no effect.
    fileprivate func rights(byRole names: [Int64: Name]) -> [Name: Schema.Rights] {
        var rights: [Name: Schema.Rights] = [:]
        for (role, granted) in grants {
            guard let name = names[role] else { continue }
            let all = Schema.Rights(rawValue: granted.rawValue)
            rights[name] = role == RoleRow.world.number ? all.intersection(.read) : all
        }
        return rights
    }
}

extension Schema.Field {
    /// nil for a row that no schema can express.
    fileprivate init?(_ row: FieldRow) {
        self.init(name: row.name, kind: row.kind, isEncrypted: row.isEncrypted, storedOptions: row.options.rawValue)
    }
}
