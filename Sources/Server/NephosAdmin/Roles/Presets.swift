package import CloudKitSchema
package import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

/// Grants for the common needs of a public record type (docs/roles.md, "Presets"). A preset replaces all grants of the
/// type.
package enum GrantPreset: Sendable, Hashable {
    /// Anybody reads; only who holds the role creates, changes and deletes.
    case adminOnly(role: Name)
    /// Anybody reads; who is signed in creates; who created a record changes and deletes it.
    case authorEdits
    /// Who is signed in reads and creates; who created a record changes and deletes it.
    case signedIn
    /// Who is signed in creates; who created a record reads, changes and deletes it; only who holds the role reads all.
    case dropBox(role: Name)

    var grants: [Name: Schema.Rights] {
        switch self {
        case .adminOnly(let role): [Schema.BuiltInRole.world: .read, role: [.read, .create, .write]]
        case .authorEdits: Schema.RecordType.justInTimeGrants
        case .signedIn: [Schema.BuiltInRole.icloud: [.read, .create], Schema.BuiltInRole.creator: .write]
        case .dropBox(let role):
            [Schema.BuiltInRole.icloud: .create, Schema.BuiltInRole.creator: [.read, .write], role: .read]
        }
    }

    /// The role of the container's own that it is about, if it is about one.
    var role: Name? {
        switch self {
        case .adminOnly(let role), .dropBox(let role): role
        case .authorEdits, .signedIn: nil
        }
    }
}

extension Administration {
    /// Gives a record type of development the grants of a preset; the role is made where it is missing. Production
    /// follows with the next deploy.
    ///
    /// - Returns: What became different.
    /// - Throws: ``AdminError/noType(_:_:)``; ``AdminError/invalid(_:)`` for what cannot be the name of a role;
    ///   ``AdminError/refused(_:)`` for the type `Users`.
    package func apply(
        _ preset: GrantPreset, to type: String, in container: String
    ) async throws(AdminError) -> SchemaDifference {
        let tenant = Tenant(container: container, environment: .development)
        let name = Name(type)
        if name == Schema.RecordType.usersName {
            throw .refused("The record type Users keeps its grants: the server makes its records.")
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
        return try await commit(to: try store(tenant), change.reading, change.decide)
    }
}
