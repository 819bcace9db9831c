package import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

extension Administration {
    /// Gives a record type of development the grants of a preset; the role is created if it is missing. Production follows with
    /// the next deploy.
    ///
    /// - Returns: What changed.
    /// - Throws: ``AdminError/noType(_:_:)``; ``AdminError/invalid(_:)`` for a role name that is not valid;
    ///   ``AdminError/refused(_:)`` for the type `Users`.
    package func apply(
        _ preset: GrantPreset, to type: String, in container: String
    ) async throws(AdminError) -> SchemaDifference {
        let tenant = Tenant(container: container, environment: .development)
        let name = Name(type)
        if name == Schema.RecordType.usersName {
            throw .refused("The grants of the record type Users cannot be changed: the server creates its records.")
        }
        if let role = preset.role { try Validation.role(role) }
        let change = ChangeSchema { schema in
            guard var type = schema[type: name] else { throw AdminError.noType(name, tenant) }
            var schema = schema
            if let role = preset.role { schema.insert(role: role) }
            type = Schema.RecordType(
                name: type.name, fields: type.fields, systemOptions: type.systemOptions, grants: preset.grants)
            schema[type: name] = type
            return schema
        }
        let store = try store(tenant)
        try checkRecords(of: store, by: change)
        return try await commit(to: store, change.reading, change.decide)
    }
}
