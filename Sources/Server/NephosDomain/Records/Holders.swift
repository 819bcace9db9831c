import CloudKitWire
import NephosStorage

/// Whose references keep a record of the public database: else a stranger could keep its owner from deleting it.
extension ModifyPlan {
    /// Whether the caller may know that a stored record is there: who may neither read nor change it is answered as if it
    /// were not.
    func mayKnow(_ stub: RecordStub) -> Bool {
        guard let type = context.catalog.type(stub.type) else { return false }
        return visibility(type.row.name).rights.mayWrite(createdBy: stub.createdBy) || mayRead(stub)
    }

    func mayRead(_ stub: RecordStub) -> Bool {
        guard let type = context.catalog.type(stub.type) else { return false }
        let visibility = visibility(type.row.name)
        return ruled.row(of: stub).map(visibility.shows) ?? visibility.shows(stub)
    }

    /// Whether somebody may write a record that goes, and so may keep it by a reference. In a private database there is
    /// one person only.
    func mayKeep(_ user: UserID, _ stub: RecordStub) -> Bool {
        guard context.scope == .public else { return true }
        guard let type = context.catalog.type(stub.type) else { return false }
        return Rights(of: user, to: type, roles: rolesOfHolders[user] ?? []).mayWrite(createdBy: stub.createdBy)
    }

    /// Whose roles must be known to tell whose references keep what goes: where a role of the container's own may write
    /// it.
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

    /// What must be read of ``holdersToAsk``; nil when it was read, or nothing must.
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
