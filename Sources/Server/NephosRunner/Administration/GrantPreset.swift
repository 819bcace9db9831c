package import CloudKitSchema
package import CloudKitWire

/// Grants for the common needs of a public record type (docs/roles.md, "Presets"). A preset replaces all grants of the
/// type.
package enum GrantPreset: Sendable, Hashable {
    /// Anybody reads; only holders of the role create, change and delete.
    case adminOnly(role: Name)
    /// Anybody reads; signed-in users create; the creator of a record changes and deletes it.
    case authorEdits
    /// Signed-in users read and create; the creator of a record changes and deletes it.
    case signedIn
    /// Signed-in users create; the creator of a record reads, changes and deletes it; only holders of the role read all.
    case dropBox(role: Name)

    package var grants: [Name: Schema.Rights] {
        switch self {
        case .adminOnly(let role): [Schema.BuiltInRole.world: .read, role: [.read, .create, .write]]
        case .authorEdits: Schema.RecordType.justInTimeGrants
        case .signedIn: [Schema.BuiltInRole.icloud: [.read, .create], Schema.BuiltInRole.creator: .write]
        case .dropBox(let role):
            [Schema.BuiltInRole.icloud: .create, Schema.BuiltInRole.creator: [.read, .write], role: .read]
        }
    }

    /// The container's own role that the preset uses, if any.
    package var role: Name? {
        switch self {
        case .adminOnly(let role), .dropBox(let role): role
        case .authorEdits, .signedIn: nil
        }
    }
}
