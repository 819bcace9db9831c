package import CloudKitWire
package import NephosStorage

extension RequestContext {
    /// The users whose roles must be read to determine what the caller may do with records of these types, and which of them the caller
    /// sees: the caller, if any of the types has grants for one of the container's own roles, or has records that require one; otherwise
    /// nobody.
    package func memberships(for types: some Swift.Sequence<RecordType>) -> [UserID] {
        guard scope == .public, !caller.isAdministrator, let user = caller.user,
            types.contains(where: { $0.grantsToOwnRoles || asksForRoles($0) })
        else { return [] }
        return [user]
    }

    /// Whether records of a type may require roles that the caller may have.
    func asksForRoles(_ type: RecordType) -> Bool {
        hours(of: type).askForProofs && catalog.roles.values.contains { $0.number > RoleRow.lastReserved }
    }
}

extension RecordType {
    /// Whether one of the container's own roles has a grant.
    var grantsToOwnRoles: Bool { grants.keys.contains { $0 > RoleRow.lastReserved } }

    /// The container's own roles that have a grant.
    var ownRoles: [Int64] { grants.keys.filter { $0 > RoleRow.lastReserved } }
}

extension RoleRow {
    /// Numbers up to this one are reserved for built-in roles, including future ones.
    static let lastReserved: Int64 = 15

    /// The built-in roles, in the order of an export.
    static let builtIn: [RoleRow] = [.creator, .icloud, .world]
}
