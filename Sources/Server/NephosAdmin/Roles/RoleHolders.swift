import CloudKitSchema
package import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// A person or key in one environment of a container, with their roles.
package struct RoleHolder: Sendable, Equatable {
    /// Email address of a person; id of a server-to-server key.
    package var who: String
    package var environment: Environment
    /// nil if the environment has no user for them.
    package var userRecordName: String?
    /// Their roles besides the built-in ones, in byte order.
    package var roles: [HeldRole]
}

/// A role that somebody holds.
package struct HeldRole: Sendable, Equatable {
    /// nil if neither environment has a role with this number: it was removed, and has no effect.
    package var name: Name?
    package var number: Int64
    /// Whether the environment has the role. It takes effect once it does.
    package var isThere: Bool
}

/// The result of a change of roles in one environment.
package struct RoleChange: Sendable, Equatable {
    package var environment: Environment
    /// Whether anything changed.
    package var isNew: Bool
    /// Whether the environment has the role: a role of development takes effect in production once it is deployed.
    package var roleIsThere: Bool
}

extension Administration {
    /// Assigns a role to a person or key. If they are new to an environment they become its user, as with their first session.
    ///
    /// - Parameters:
    ///   - who: Email address of an account, or id of a server-to-server key.
    ///   - environments: One or both.
    /// - Throws: ``AdminError/noRole(_:known:)``, ``AdminError/noAccount(_:)``, ``AdminError/noKey(_:)``.
    package func assignRole(
        _ role: String, to who: String, in container: String, _ environments: [Environment]
    ) async throws(AdminError) -> [RoleChange] {
        try await changeRoles(.assign, role, who, container, environments)
    }

    /// Revokes a role from a person or key. - Throws: As ``assignRole(_:to:in:_:)``.
    package func revokeRole(
        _ role: String, from who: String, in container: String, _ environments: [Environment]
    ) async throws(AdminError) -> [RoleChange] {
        try await changeRoles(.revoke, role, who, container, environments)
    }

    /// The holders of roles, in both environments; only those who hold any.
    ///
    /// - Parameter who: Only this person or key, even without a role; nil for all.
    package func roleHolders(in container: String, who: String? = nil) throws(AdminError) -> [RoleHolder] {
        var holders: [RoleHolder] = []
        let known = try ownRoles(of: container)
        let names = Dictionary(
            Set(known.values.joined()).map { (RoleRow(named: $0).number, $0) }, uniquingKeysWith: { first, _ in first })
        func described(_ numbers: [Int64], in environment: Environment) -> [HeldRole] {
            let roles = numbers.map { number in
                let name = names[number]
                let isThere = name.map { known[environment]?.contains($0) ?? false } ?? false
                return HeldRole(name: name, number: number, isThere: isThere)
            }
            return roles.sorted { ($0.name ?? "", $0.number) < ($1.name ?? "", $1.number) }
        }
        for environment in Environment.allCases {
            let store = try store(Tenant(container: container, environment: environment))
            if let who {
                let (user, numbers) = try held(who, in: store)
                holders.append(
                    RoleHolder(
                        who: who, environment: environment, userRecordName: user?.recordName,
                        roles: described(numbers, in: environment)))
            } else {
                try forEachHolder(in: store) { user, numbers throws(AdminError) in
                    holders.append(
                        RoleHolder(
                            who: try name(of: user), environment: environment, userRecordName: user.id.recordName,
                            roles: described(numbers, in: environment)))
                }
            }
        }
        return holders
    }

    private func changeRoles(
        _ change: ChangeRoles.Change, _ role: String, _ who: String, _ container: String, _ environments: [Environment]
    ) async throws(AdminError) -> [RoleChange] {
        let name = Name(role)
        let known = try ownRoles(of: container)
        guard known.contains(where: { $0.value.contains(name) }) else {
            throw .noRole(name, known: Set(known.values.joined()).sorted())
        }
        let (source, sourceID) = try source(of: who)
        var changes: [RoleChange] = []
        for environment in environments {
            let operation = ChangeRoles(
                change, role: name, source: source, sourceID: sourceID, newID: inputs.userID(), now: inputs.now())
            let store = try store(Tenant(container: container, environment: environment))
            let isNew: Bool
            do {
                isNew = try await write(to: store, operation.reading, operation.decide)
            } catch Refusal.recordNotFound {
                // A key belongs to one environment.
                continue
            } catch {
                throw AdminError(error)
            }
            changes.append(
                RoleChange(
                    environment: environment, isNew: isNew,
                    roleIsThere: known[environment]?.contains(name) ?? false))
        }
        if changes.isEmpty { throw .noKey(sourceID, container: container) }
        return changes
    }

    /// The container's own roles, by environment.
    private func ownRoles(of container: String) throws(AdminError) -> [Environment: [Name]] {
        var roles: [Environment: [Name]] = [:]
        for environment in Environment.allCases {
            roles[environment] = try schema(of: Tenant(container: container, environment: environment)).roles
        }
        return roles
    }

    /// The placeholder for a holder of a role in commands: the address of a person, or the id of a key if an environment has only keys.
    func holderWord(in tenant: Tenant) throws(AdminError) -> String {
        let store = try store(tenant)
        guard try read(store).catalog.keys.values.contains(where: { $0.revokedAt == 0 }) else { return "EMAIL" }
        var users = UserWalk()
        while let page = try users.next(self, store) {
            if try rows(UserRow.keyed(page), of: store).contains(where: { $0.source == .account }) {
                return "EMAIL-OR-KEY-ID"
            }
        }
        return "KEY-ID"
    }

    /// What `who` names: a key by its id, else an account by its address.
    func source(of who: String) throws(AdminError) -> (UserRow.Source, String) {
        let isKey = who.utf8.count == 64 && who.allSatisfy(\.isHexDigit)
        return isKey ? (.serverKey, who.lowercased()) : (.account, try account(email: who).id)
    }

    // MARK: Reading

    /// Numbers of a user's roles; no user if the environment has none for them.
    func held(
        _ who: String, in store: any TenantStore
    ) throws(AdminError) -> (user: UserID?, roles: [Int64]) {
        let source = try source(of: who)
        guard let user = try rows(UserRow.from([source]), of: store).first else { return (nil, []) }
        var roles = ReadSet()
        roles.memberships = [user.id]
        return (user.id, try read(store, roles).memberships.first ?? [])
    }

    /// Walks all users of an environment, and passes on those with a role.
    func forEachHolder(
        in store: any TenantStore, _ body: (UserRow, [Int64]) throws(AdminError) -> Void
    ) throws(AdminError) {
        var users = UserWalk()
        while let page = try users.next(self, store) {
            var set = ReadSet()
            set.memberships = page
            let known = UserRow.keyed(page)
            set.ask(known)
            let reading = try read(store, set)
            let rows = Dictionary(reading[known].map { ($0.id, $0) }) { first, _ in first }
            for (user, numbers) in zip(page, reading.memberships) where !numbers.isEmpty {
                if let user = rows[user] { try body(user, numbers) }
            }
        }
    }

    /// Email address of a person, or id of a key.
    func name(of user: UserRow) throws(AdminError) -> String {
        guard user.source == .account else { return user.sourceID }
        let account = try stored { () throws(StorageError) in try engine.account(id: user.sourceID) }
        return account?.shownEmail ?? user.sourceID
    }
}

/// Walks the user records of an environment, page by page. Only their names begin with an underscore, so they are adjacent.
private struct UserWalk {
    private var position: NameScan.Position?
    private var isAtEnd = false

    /// The next users; nil at the end.
    mutating func next(_ administration: Administration, _ store: any TenantStore) throws(AdminError) -> [UserID]? {
        guard !isAtEnd else { return nil }
        let zone = ZoneKey.name(1, defaultZoneName)
        if position == nil {
            var set = ReadSet()
            set.zones = [zone]
            guard let number = try administration.read(store, set).zones.first??.number else { return nil }
            position = NameScan.Position(zone: number, name: "_")
        }
        var set = ReadSet()
        set.names = [NameScan(place: .zone(zone), type: usersTypeNumber, after: position, limit: 200)]
        guard let page = try administration.read(store, set).names.first else { return nil }
        position = page.next
        isAtEnd = page.next.map { $0.name.bytes.first != UInt8(ascii: "_") } ?? true
        return page.records.map(\.createdBy)
    }
}
