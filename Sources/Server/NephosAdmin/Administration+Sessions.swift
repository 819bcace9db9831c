import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// A session as shown in a list. Its id grants no access.
package struct SessionListing: Sendable, Equatable {
    package let id: String
    /// The person's address; the name of the user record if no account is known.
    package let person: String
    package let createdAt: Milliseconds
    package let expiresAt: Milliseconds
    /// When it ends at the latest, however it is used; 0 for one that is not extended by use.
    package let endsAt: Milliseconds
    /// When it was last extended, or created; 0 for one that is not extended by use.
    package let usedAt: Milliseconds
    /// 0 unless it was revoked.
    package let revokedAt: Milliseconds
    /// Days since 1970 UTC; nil if it was never used, or if that was not recorded yet.
    package let lastDay: Int64?
    /// The app when it was last extended, or began: the name of its API token, or the token's id. Empty if it is not known.
    package let app: String
    /// The program and the system, and the block of addresses, at that time; empty if they are not known.
    package let device: String
    package let network: String
}

/// The result of revoking sessions in one environment.
package struct RevokedSessions: Sendable, Equatable {
    package let tenant: Tenant
    package let sessions: Int
    package let devices: Int
}

/// A person's user in one environment of a container.
package struct Membership: Sendable, Equatable {
    package let tenant: Tenant
    /// The name of their user record.
    package let user: String
    /// The number of valid sessions.
    package let sessions: Int
    /// The number of phones.
    package let phones: Int
    /// The number of pages and programs that poll for their notifications.
    package let couriers: Int
    /// Days since 1970 UTC.
    package let lastDay: Int64?
}

extension Administration {
    /// The maximum number of a person's sessions that ``account(email:)`` reads.
    private static let sessionsMax = 10_000

    /// Sessions, the last to end first; including ended ones, as long as they are kept.
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
        let sources = try sources(of: sessions, in: store)
        let tokens = try read(store).catalog.tokens
        return zip(sessions, days).map { session, day in
            let source = sources[session.id] ?? RequestSource()
            return SessionListing(
                id: Hexadecimal.text(session.id), person: people[session.user] ?? session.user.recordName,
                createdAt: session.createdAt, expiresAt: session.expiresAt, endsAt: session.endsAt,
                usedAt: session.usedAt, revokedAt: session.revokedAt, lastDay: day,
                app: tokens[source.token]?.shownName ?? "", device: source.device, network: source.network)
        }
    }

    /// Revokes one session, with the devices that were registered with it. It grants no access from the next request on, on any
    /// server; its streams end within a second.
    ///
    /// - Parameter id: As in ``sessions(of:email:limit:)``.
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

    /// Revokes all sessions of a person, with all devices, including those without a session.
    ///
    /// - Parameters:
    ///   - container: Only there; nil for all.
    ///   - environment: Only there; nil for both.
    /// - Returns: The environments that have a user for the person.
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

    /// A page of accounts, ordered by address.
    ///
    /// - Parameter email: The last address of the previous page, in any spelling.
    package func accounts(after email: String? = nil, limit: Int) throws(AdminError) -> [AccountRow] {
        try stored { () throws(StorageError) in
            var last = email?.lowercased()
            if let email, let account = try engine.account(typed: email) { last = account.email }
            return try engine.accounts(after: last, limit: limit)
        }
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

    /// The tenants that have a user for a person, each with the user.
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

    private func sources(
        of sessions: [SessionRow], in store: any TenantStore
    ) throws(AdminError) -> [[UInt8]: RequestSource] {
        let uses = try rows(SessionUseRow.of(sessions.map(\.id)), of: store)
        return Dictionary(uses.map { ($0.session, $0.source) }) { first, _ in first }
    }

    private func addresses(
        of users: [UserID], in store: any TenantStore
    ) throws(AdminError) -> [UserID: String] {
        var addresses: [UserID: String] = [:]
        for user in try rows(UserRow.keyed(Array(Set(users))), of: store) where user.source == .account {
            let account = try stored { () throws(StorageError) in try engine.account(id: user.sourceID) }
            addresses[user.id] = account?.shownEmail
        }
        return addresses
    }
}
