package import CloudKitWire
package import NephosStorage

extension RequestContext {
    /// Whose roles must be read to tell what the caller may do with records of these types, and which of them the caller sees: the caller's,
    /// if any of the types grants something to a role of the container's own, or has records that ask for one; else nobody's.
    package func memberships(for types: some Swift.Sequence<RecordType>) -> [UserID] {
        guard scope == .public, !caller.isAdministrator, let user = caller.user,
            types.contains(where: { $0.grantsToOwnRoles || asksForRoles($0) })
        else { return [] }
        return [user]
    }

    /// Whether records of a type may ask for roles that the caller may have.
    func asksForRoles(_ type: RecordType) -> Bool {
        hours(of: type).askForProofs && catalog.roles.values.contains { $0.number > RoleRow.lastReserved }
    }
}

extension RecordType {
    /// Whether a role of the container's own is granted anything.
    var grantsToOwnRoles: Bool { grants.keys.contains { $0 > RoleRow.lastReserved } }

    /// The roles of the container's own that are granted something.
    var ownRoles: [Int64] { grants.keys.filter { $0 > RoleRow.lastReserved } }
}

extension RoleRow {
    /// Numbers up to this one belong to built-in roles, of today and to come.
    static let lastReserved: Int64 = 15

    /// The built-in roles, in the order of an export.
    static let builtIn: [RoleRow] = [.creator, .icloud, .world]
}
