import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// What operators do on behalf of a person. A person who has signed in themselves to an environment that serves an app's people
/// has to permit it at `/account`; otherwise the operator has to give a reason, and the person is notified.
extension Administration {
    /// Signs in the person with this address without a password, and records that.
    ///
    /// - Parameter reason: Why, if the person has not permitted it; empty for none.
    /// - Returns: A web auth token. It is valid as long as a fixed session lasts, and no longer than the person's permission.
    /// - Throws: ``AdminError/noAccount(_:)``; ``AdminError/refused(_:)`` if the person has not permitted it.
    func signIn(as email: String, in tenant: Tenant, reason: String) async throws(AdminError) -> String {
        let (store, account) = (try store(tenant), try account(email: email))
        guard try deletions(of: [account]).isEmpty else { throw .leaves(account) }
        let isProtected = try protectedPlaces(of: account).contains(tenant)
        let access = try access(.session, reason, isProtected: isProtected)
        let (random, newID, nonce) = (inputs.randomBytes(48), inputs.userID(), inputs.number())
        @Sendable func enrolment(until end: Milliseconds? = nil) -> Enrolment {
            let last = access.now + SessionRow.Kind.fixed.length
            return Enrolment.person(
                account: account.id, newID: newID, sessionID: Array(random[..<16]), secret: Array(random[16...]),
                expiresAt: end.map { min($0, last) } ?? last, now: access.now)
        }
        let known = UserRow.from([(.account, account.id)])
        let made = try await commit(to: store, enrolment().reading) { reading -> Decision<(SessionRow?, AccessRow)> in
            let noted: NewAccess.Noted
            switch access.decide(about: reading[known].first?.id ?? newID, reading) {
            case .need(let more): return .need(more)
            case .refused: throw AdminError.notPermitted(account, by: [tenant])
            case .noted(let decided): noted = decided
            }
            switch try enrolment(until: noted.until).decide(reading) {
            case .need(let more, _): return .need(more)
            case .write(var writes, let session):
                noted.write(to: &writes)
                return .write(writes, (session, noted.row))
            }
        }
        try notify(account, of: [made.1])
        do {
            guard try runner.stays(account.id, at: access.now) else { throw AdminError.leaves(account) }
        } catch { throw AdminError(error) }
        guard let session = made.0, let token = WebAuthToken.issue(for: session, nonce: nonce) else {
            throw .storage(.failed("a person was signed in without a session"))
        }
        return token
    }

    /// Records, wherever an account is known, that an operator is about to do something with all of it.
    ///
    /// - Throws: ``AdminError/refused(_:)`` if the person has not permitted it and no reason was given; nothing is recorded then.
    func noteAccess(
        _ kind: AccessRow.Kind, to account: AccountRow, reason: String
    ) async throws(AdminError) {
        let protected = try protectedPlaces(of: account)
        try await note(
            kind,
            homes(of: account).map { store, user in
                Home(store: store, user: user, account: account, isProtected: protected.contains(store.tenant))
            }, reason)
    }

    /// Records, in one place, that an operator is about to do something with what people keep there.
    ///
    /// - Throws: ``AdminError/refused(_:)`` if one of them has not permitted it and no reason was given; nothing is recorded then.
    func noteAccess(
        _ kind: AccessRow.Kind, to users: [UserID], in store: any TenantStore, reason: String
    ) async throws(AdminError) {
        var homes: [Home] = []
        for user in try rows(UserRow.keyed(users), of: store) {
            let account = try account(of: user)
            let isProtected = try account.map(protectedPlaces)?.contains(store.tenant) ?? false
            homes.append(Home(store: store, user: user.id, account: account, isProtected: isProtected))
        }
        try await note(kind, homes, reason)
    }

    /// Where a person is known, and as which user.
    private struct Home {
        let store: any TenantStore
        let user: UserID
        /// nil for people of other servers.
        let account: AccountRow?
        /// As ``NewAccess/isProtected``.
        let isProtected: Bool
    }

    private func note(_ kind: AccessRow.Kind, _ homes: [Home], _ reason: String) async throws(AdminError) {
        var access = try access(kind, reason, isProtected: true)
        // All places are checked before anything is recorded.
        var refusing: [Home] = []
        for home in homes where access.reason.isEmpty && home.isProtected {
            let isPermitted = try rows(AccessRow.grants(of: home.user), of: home.store)
                .contains { access.now < $0.until }
            if !isPermitted { refusing.append(home) }
        }
        if let account = refusing.first?.account {
            throw .notPermitted(account, by: refusing.filter { $0.account?.id == account.id }.map(\.store.tenant))
        }
        var noted: [String: (account: AccountRow, rows: [AccessRow])] = [:]
        for home in homes {
            access.isProtected = home.isProtected
            let row = try await commit(to: home.store, ReadSet()) { [access] reading -> Decision<AccessRow> in
                switch access.decide(about: home.user, reading) {
                case .need(let more): return .need(more)
                case .refused: throw AdminError.refused("The permission of the person has just ended. Try again.")
                case .noted(let noted):
                    var writes = WriteSet()
                    noted.write(to: &writes)
                    return .write(writes, noted.row)
                }
            }
            if let account = home.account { noted[account.id, default: (account, [])].rows.append(row) }
        }
        for (_, (account, rows)) in noted.sorted(by: { $0.key < $1.key }) { try notify(account, of: rows) }
    }

    /// The recorded accesses to a person, newest first.
    func accesses(of email: String, in tenant: Tenant, limit: Int) throws(AdminError) -> [AccessRow] {
        let store = try store(tenant)
        return try rows(AccessRow.of(try userID(named: email, in: store), limit: limit), of: store)
    }

    // MARK: Affected places

    /// The environments in which the person of an account has to permit an access.
    private func protectedPlaces(of account: AccountRow) throws(AdminError) -> [Tenant] {
        try stored { () throws(StorageError) in try engine.directory.rows(PlaceRow.of(account.id)) }
            .map(\.tenant).filter { $0.environment == .production }
    }

    /// Where an account is known, and as which user.
    private func homes(of account: AccountRow) async throws(AdminError) -> [(store: any TenantStore, user: UserID)] {
        var homes: [(store: any TenantStore, user: UserID)] = []
        do {
            try await AccountHomes(worker: Worker(runner, clock: inputs.now)).forEach(of: account.id) { store, user in
                homes.append((store, user.id))
            }
        } catch { throw AdminError(error) }
        return homes
    }

    private func access(
        _ kind: AccessRow.Kind, _ reason: String, isProtected: Bool
    ) throws(AdminError) -> NewAccess {
        let reason = String(reason[...].trimmed)
        guard reason.utf8.count <= NewAccess.reasonMax, reason.unicodeScalars.allSatisfy(\.isOfReason) else {
            throw .invalid(
                InvalidValue(
                    what: "reason", value: reason, expected: "at most \(NewAccess.reasonMax) bytes on one line"))
        }
        return NewAccess(
            kind: kind, who: inputs.author, reason: reason, isProtected: isProtected, id: inputs.randomBytes(8),
            now: inputs.now())
    }

    /// Sends the person a mail about an operator's access, if a server sends mails within a day. They also see it at their next
    /// sign-in.
    private func notify(_ account: AccountRow, of accesses: [AccessRow]) throws(AdminError) {
        guard let access = accesses.first(where: \.isUnannounced), let address = try? MailAddress(account.email) else {
            return
        }
        let mail: NewMail
        do throws(MailFailure) {
            mail = try NewMail(
                to: address, subject: Texts.english.accesses.subject,
                text: Texts.all.map { $0.accesses.mail(of: access, to: account.shownEmail) }.joined(separator: "\n\n"),
                for: "access", id: inputs.randomBytes(16), at: access.at)
        } catch { throw .refused("The mail to notify the person cannot be created: \(error)") }
        var set = ReadSet()
        mail.ask(&set)
        try commitDirectory(set) { reading in
            var writes = WriteSet()
            _ = mail.put(into: &writes, reading)
            return .write(writes, ())
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is permitted in a reason: not if it ends a line, controls a terminal, or changes the text direction.
    fileprivate var isOfReason: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension AdminError {
    fileprivate static func notPermitted(_ account: AccountRow, by tenants: [Tenant]) -> AdminError {
        .refused(
            """
            \(account.shownEmail) has signed in to \(tenants.map(\.description).joined(separator: ", ")), and has not allowed you to act as \
            them. Ask the person to allow it at /account, or pass --break-glass REASON: the person is notified then.
            """)
    }
}
