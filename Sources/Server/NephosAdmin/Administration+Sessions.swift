import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// A session, as a list shows it. Its id opens nothing.
package struct SessionListing: Sendable, Equatable {
    package let id: String
    /// The person's address; the name of the user record where no account is known.
    package let person: String
    package let createdAt: Milliseconds
    package let expiresAt: Milliseconds
    /// When it ends at the latest, however it is used; 0 for one that use does not make longer.
    package let endsAt: Milliseconds
    /// When it was last made longer, or made; 0 for one that use does not make longer.
    package let usedAt: Milliseconds
    /// 0 unless it was taken back.
    package let revokedAt: Milliseconds
    /// Days since 1970 UTC; nil when it was never used, or when that was not noted yet.
    package let lastDay: Int64?
}

/// What taking sessions back came to in one environment.
package struct RevokedSessions: Sendable, Equatable {
    package let tenant: Tenant
    package let sessions: Int
    package let devices: Int
}

/// A person as one environment of a container knows them.
package struct Membership: Sendable, Equatable {
    package let tenant: Tenant
    /// The name of their user record.
    package let user: String
    /// Sessions that are good now.
    package let sessions: Int
    /// Of phones.
    package let phones: Int
    /// Of pages and programs that ask for their notifications.
    package let couriers: Int
    /// Days since 1970 UTC.
    package let lastDay: Int64?
}

extension Administration {
    /// Most sessions of a person that ``account(email:)`` looks at.
    private static let sessionsMax = 10_000

    /// Sessions, the last to end first; those that have ended too, as long as they are kept.
    ///
    /// - Parameter email: Only this person's.
    /// - Throws: ``AdminError/noAccount(_:)``.
    package func sessions(
        of tenant: Tenant, email: String? = nil, limit: Int
    ) throws(AdminError) -> [SessionListing] {
        let store = try store(tenant)
        var list = SessionRow.newest(limit: limit)
        if let email {
            guard let user = try user(of: try account(email: email), in: store) else { return [] }
            list = SessionRow.of(user.id, limit: limit)
        }
        let sessions = try stored { [list] () throws(StorageError) in try store.rows(list) }
        let days = try lastDays(sessions.map { CredentialKey(.session, $0.id) }, store)
        let people = try addresses(of: sessions.map(\.user), in: store)
        return zip(sessions, days).map { session, day in
            SessionListing(
                id: Hexadecimal.text(session.id), person: people[session.user] ?? session.user.recordName,
                createdAt: session.createdAt, expiresAt: session.expiresAt, endsAt: session.endsAt,
                usedAt: session.usedAt, revokedAt: session.revokedAt, lastDay: day)
        }
    }

    /// Takes one session back, with the devices that were registered with it. It opens nothing from the next request on, on
    /// any server; its streams end within a second.
    ///
    /// - Parameter id: As ``sessions(of:email:limit:)`` has it.
    /// - Throws: ``AdminError/noSession(_:_:)``.
    package func revokeSession(_ id: String, in tenant: Tenant) async throws(AdminError) -> RevokedSessions {
        let store = try store(tenant)
        let one = SessionRow.keyed([Hexadecimal.bytes(id.lowercased()) ?? []])
        let found = try stored { () throws(StorageError) in try store.rows(one) }
        guard let session = found.first else { throw .noSession(id, tenant) }
        let revoke = RevokeSessions(
            .one(session.id), of: session.user, home: session.privateDatabase, now: inputs.now())
        let answer = try await commit(to: store, revoke.reading, revoke.decide)
        return RevokedSessions(tenant: tenant, sessions: answer.sessions, devices: answer.devices)
    }

    /// Takes all sessions of a person back, with all devices, those too that name no session.
    ///
    /// - Parameters:
    ///   - container: Only there; nil everywhere.
    ///   - environment: Only there; nil in both.
    /// - Returns: The environments that know the person.
    /// - Throws: ``AdminError/noAccount(_:)``.
    package func revokeAllSessions(
        of email: String, container: String? = nil, environment: Environment? = nil
    ) async throws(AdminError) -> [RevokedSessions] {
        let account = try account(email: email)
        var revoked: [RevokedSessions] = []
        for (store, user) in try homes(of: account, container, environment) {
            revoked.append(try await revokeAll(user, in: store))
        }
        return revoked
    }

    private func revokeAll(_ user: UserRow, in store: any TenantStore) async throws(AdminError) -> RevokedSessions {
        var (sessions, devices) = (0, 0)
        while true {
            let revoke = RevokeSessions(.all, of: user.id, home: user.privateDatabase, now: inputs.now())
            let answer = try await commit(to: store, revoke.reading, revoke.decide)
            sessions += answer.sessions
            devices += answer.devices
            if answer.sessions < RevokeSessions.most { break }
        }
        return RevokedSessions(tenant: store.tenant, sessions: sessions, devices: devices)
    }

    // MARK: Accounts

    /// A page of accounts, in the order of their addresses.
    ///
    /// - Parameter email: The last of the page before.
    package func accounts(after email: String? = nil, limit: Int) throws(AdminError) -> [AccountRow] {
        try stored { () throws(StorageError) in try engine.accounts(after: email?.lowercased(), limit: limit) }
    }

    /// Where a person has signed in.
    package func memberships(of account: AccountRow) throws(AdminError) -> [Membership] {
        let now = inputs.now()
        var memberships: [Membership] = []
        for (store, user) in try homes(of: account, nil, nil) {
            var set = ReadSet()
            let unrevoked = SessionRow.unrevoked(of: user.id, limit: Self.sessionsMax)
            set.ask(unrevoked)
            let devices = DeviceRow.of([(user.id, user.home)])
            set.ask(devices)
            let reading = try read(store, set)
            let sessions = reading[unrevoked]
            let days = try lastDays(sessions.map { CredentialKey(.session, $0.id) }, store)
            memberships.append(
                Membership(
                    tenant: store.tenant, user: user.id.recordName,
                    sessions: sessions.count { $0.isLive(at: now) },
                    phones: reading[devices].count { $0.channel == .apns },
                    couriers: reading[devices].count { $0.channel == .courier },
                    lastDay: days.compactMap(\.self).max()))
        }
        return memberships
    }

    /// The tenants that know a person, each with its user.
    private func homes(
        of account: AccountRow, _ container: String?, _ environment: Environment?
    ) throws(AdminError) -> [(store: any TenantStore, user: UserRow)] {
        var homes: [(store: any TenantStore, user: UserRow)] = []
        let ids = if let container { [container] } else { try containers() }
        for id in ids {
            for environment in environment.map({ [$0] }) ?? Environment.allCases {
                let store = try store(Tenant(container: id, environment: environment))
                if let user = try user(of: account, in: store) { homes.append((store, user)) }
            }
        }
        return homes
    }

    private func user(of account: AccountRow, in store: any TenantStore) throws(AdminError) -> UserRow? {
        try rows(UserRow.from([(.account, account.id)]), of: store).first
    }

    private func addresses(
        of users: [UserID], in store: any TenantStore
    ) throws(AdminError) -> [UserID: String] {
        var addresses: [UserID: String] = [:]
        for user in try rows(UserRow.keyed(Array(Set(users))), of: store) where user.source == .account {
            let account = try stored { () throws(StorageError) in try engine.account(id: user.sourceID) }
            addresses[user.id] = account?.email
        }
        return addresses
    }
}
