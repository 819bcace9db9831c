package import CloudKitSchema
package import CloudKitWire

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

    package var grants: [Name: Schema.Rights] {
        switch self {
        case .adminOnly(let role): [Schema.BuiltInRole.world: .read, role: [.read, .create, .write]]
        case .authorEdits: Schema.RecordType.justInTimeGrants
        case .signedIn: [Schema.BuiltInRole.icloud: [.read, .create], Schema.BuiltInRole.creator: .write]
        case .dropBox(let role):
            [Schema.BuiltInRole.icloud: .create, Schema.BuiltInRole.creator: [.read, .write], role: .read]
        }
    }

    /// The role of the container's own that it is about, if it is about one.
    package var role: Name? {
        switch self {
        case .adminOnly(let role), .dropBox(let role): role
        case .authorEdits, .signedIn: nil
        }
    }
}
