import CloudKitSchema
import CloudKitWire
import NephosTesting

/// Random schemas.
extension Schema {
    /// A schema with few possible names, so that two of them have much in common.
    static func random(using random: inout SeededGenerator) -> Schema {
        let roles = ["editor", "two words", "Ärzte", "grant"].filter { _ in random.once(in: 2) }.map { Name($0) }
        let types = ["A", "B", "CD_Item", "a", "sortable", "Users", "cloudkit.share"].filter { _ in random.once(in: 2) }
        return Schema(roles: roles, recordTypes: types.map { RecordType.random(Name($0), roles, using: &random) })
    }

    /// All types.
    static let dataTypes: [DataType] = FieldType.allCases.flatMap { kind in
        [false, true].flatMap { isEncrypted in
            [DataType.Number.exact, .undecided, .preferred].compactMap {
                DataType(kind, isEncrypted: isEncrypted, number: $0)
            }
        }
    }
}

extension Schema.RecordType {
    static func random(_ name: Name, _ roles: [Name], using random: inout SeededGenerator) -> Schema.RecordType {
        let names = ["Zoo", "a", "b", "grant", "PREFERRED", "type", "cloudkit.title", "a_very_long_name_of_a_field"]
        var fields = names.filter { _ in random.once(in: 2) }.map { Schema.Field.random(Name($0), using: &random) }
        if name == usersName { fields.append(userRoles) }
        var system: [Schema.SystemField: Schema.Options] = [:]
        for field in Schema.SystemField.allCases where random.once(in: 3) {
            system[field] = Schema.Options(rawValue: Int64.random(in: 0...7, using: &random))
                .intersection(field.allowedOptions)
        }
        var grants: [Name: Schema.Rights] = [:]
        for role in Schema.BuiltInRole.all + roles where random.once(in: 2) {
            var rights = Schema.Rights(rawValue: Int64.random(in: 0...7, using: &random))
            if role == Schema.BuiltInRole.world { rights.formIntersection(.read) }
            if name == usersName { rights.remove(.create) }
            grants[role] = rights
        }
        return Schema.RecordType(name: name, fields: fields, systemOptions: system, grants: grants)
    }
}

extension Schema.Field {
    static func random(_ name: Name, using random: inout SeededGenerator) -> Schema.Field {
        let type = Schema.dataTypes.randomElement(using: &random) ?? Schema.RecordType.userRoles.type
        let options = Schema.Options(rawValue: Int64.random(in: 0...7, using: &random))
        return Schema.Field(name: name, type: type, options: options.intersection(type.allowedOptions))
    }
}
