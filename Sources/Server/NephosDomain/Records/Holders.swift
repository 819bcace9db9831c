import CloudKitWire
import NephosStorage

/// Whose references protect a record of the public database from deletion: otherwise a stranger could keep its owner from
/// deleting it.
extension ModifyPlan {
    /// Whether the caller may know that a stored record exists: a caller that may neither read nor change it gets the same answer
    /// as for a missing record.
    func mayKnow(_ stub: RecordStub) -> Bool {
        guard let type = context.catalog.type(stub.type) else { return false }
        return visibility(type.row.name).rights.mayWrite(createdBy: stub.createdBy) || mayRead(stub)
    }

    func mayRead(_ stub: RecordStub) -> Bool {
        guard let type = context.catalog.type(stub.type) else { return false }
        let visibility = visibility(type.row.name)
        return ruled.row(of: stub).map(visibility.shows) ?? visibility.shows(stub)
    }

    /// Whether a user may write a record that is to be deleted, and so may protect it by a reference. A private database has only
    /// one person.
    func mayKeep(_ user: UserID, _ stub: RecordStub) -> Bool {
        guard context.scope == .public else { return true }
        guard let type = context.catalog.type(stub.type) else { return false }
        return Rights(of: user, to: type, roles: rolesOfHolders[user] ?? []).mayWrite(createdBy: stub.createdBy)
    }

    /// The users whose roles must be known to decide whether their references protect what is deleted: if one of the container's
    /// own roles may write it.
    var holdersToAsk: [UserID] {
        guard context.scope == .public else { return [] }
        var users: Set<UserID> = []
        for unit in units.indices {
            let gone = roots(of: unit).map(\.stub) + references[unit].edges.values.joined()
            let types = Set(gone.map(\.type)).compactMap { context.catalog.type($0) }
            guard types.contains(where: \.letsOwnRolesWrite) else { continue }
            for (target, holders) in references[unit].referrers where target.kind != .deleteSelf {
                users.formUnion(holders.lazy.map(\.createdBy))
            }
        }
        return users.subtracting([.server]).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    /// What must be read for ``holdersToAsk``; nil if it was read, or nothing is needed.
    mutating func holderNeeds() -> ReadSet? {
        let users = Array(holdersToAsk.prefix(steps.rowsLeft))
        guard !users.isEmpty else { return nil }
        steps.ask(users.count)
        let known = reading.memberships.dropFirst(callerMemberships)
        guard known.count >= users.count else {
            var more = ReadSet()
            more.memberships = users
            return more
        }
        rolesOfHolders = Dictionary(zip(users, known)) { first, _ in first }
        return nil
    }
}

extension RecordType {
    fileprivate var letsOwnRolesWrite: Bool {
        grants.contains { $0.key > RoleRow.lastReserved && $0.value.contains(.write) }
    }
}
