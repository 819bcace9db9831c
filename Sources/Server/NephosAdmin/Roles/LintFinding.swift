package import CloudKitWire

/// Something about roles and grants that is probably a mistake (docs/roles.md, "Lint").
package struct LintFinding: Sendable, Equatable {
    package enum Severity: String, Sendable, Comparable {
        case error, warning
        package static func < (left: Severity, right: Severity) -> Bool { left == .error && right == .warning }
    }

    package enum Kind: Sendable, Hashable {
        /// A role may create or write, and so may everybody who is signed in: the role protects nothing.
        case roleGuardsNothing(role: Name, type: Name)
        /// The creator of a record may change it but not read it.
        case creatorCannotRead(type: Name)
        /// Everybody who is signed in may change and delete everybody's records.
        case anyoneMayWrite(type: Name)
        /// A type on which a role has grants, but everybody who is signed in may create records.
        case anyoneMayCreate(type: Name)
        /// CREATE for `_creator` has no effect: there is no creator before there is a record.
        case createForCreator(type: Name)
        /// Content that readers will sort by this field, which is not sortable.
        case sortWithoutIndex(type: Name, field: Name)
        /// A role without grants.
        case roleWithoutGrants(role: Name)
        /// A role without holders.
        case roleWithoutHolders(role: Name)
    }

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    package var severity: Severity {
        switch kind {
        case .roleGuardsNothing, .creatorCannotRead: .error
        case .anyoneMayWrite, .anyoneMayCreate, .createForCreator, .sortWithoutIndex, .roleWithoutGrants,
            .roleWithoutHolders:
            .warning
        }
    }

    /// The record type, or the role.
    package var subject: Name {
        switch kind {
        case .roleGuardsNothing(_, let type), .creatorCannotRead(let type), .anyoneMayWrite(let type),
            .anyoneMayCreate(let type), .createForCreator(let type), .sortWithoutIndex(let type, _):
            type
        case .roleWithoutGrants(let role), .roleWithoutHolders(let role): role
        }
    }
}

extension LintFinding: CustomStringConvertible {
    /// The finding, in one clause.
    package var description: String {
        switch kind {
        case .roleGuardsNothing(let role, _):
            "role \(role) can create or write, but so can every signed-in user"
        case .creatorCannotRead: "the creator of a record can change it but cannot read it"
        case .anyoneMayWrite: "every signed-in user can change and delete all records"
        case .anyoneMayCreate: "every signed-in user can add records"
        case .createForCreator: "CREATE to _creator has no effect"
        case .sortWithoutIndex(_, let field): "\(field) is not SORTABLE: queries that sort by it fail"
        case .roleWithoutGrants: "the role has no grants"
        case .roleWithoutHolders: "nobody holds the role"
        }
    }
}
