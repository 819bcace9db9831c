import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// What an operator does about shares of people. All of it is an access to what the owners of the shares keep (``noteAccess``).
extension Administration {
    /// Somebody in a share, with the address of their account.
    struct KnownParticipant: Sendable {
        let participant: ShareList.Participant
        /// nil if there is no account of this server.
        let account: AccountRow?

        /// For people: the address of the account, or that by which the owner named them.
        var name: String { account?.shownEmail ?? participant.emailAddress }
    }

    /// The first shares of an environment, or of one owner.
    ///
    /// - Throws: ``AdminError/refused(_:)`` if an owner has not permitted it, and no reason was given.
    func shares(
        in tenant: Tenant, of owner: String?, limit: Int, reason: String
    ) async throws(AdminError) -> [ShareOverview] {
        let store = try store(tenant)
        guard let owner else { return try await seen(InspectShares(limit: limit), in: store, reason) }
        let user = try userID(named: owner, in: store)
        guard let row = try rows(UserRow.keyed([user]), of: store).first, row.privateDatabase > 0 else { return [] }
        return try await seen(InspectShares(of: row.privateDatabase, limit: limit), in: store, reason)
    }

    /// The share at an address.
    func share(at text: String, in tenant: Tenant, reason: String) async throws(AdminError) -> ShareOverview {
        let share = try share(at: text, in: tenant)
        try await noteAccess(.shares, to: [share.owner], in: try store(tenant), reason: reason)
        return share
    }

    private func share(at text: String, in tenant: Tenant) throws(AdminError) -> ShareOverview {
        let store = try store(tenant)
        let key = try read(store, ReadSet()).catalog.head.signingKey
        guard let address = try? ShareAddress(Name(text), key: key),
            let share = try found(InspectShares(at: address), in: store).first
        else {
            throw .refused(
                "There is no share at this address in \(tenant): \(Name(text).excerpt). List them with: nephos share list \(tenant.container)"
            )
        }
        return share
    }

    private func seen(
        _ inspection: InspectShares, in store: any TenantStore, _ reason: String
    ) async throws(AdminError) -> [ShareOverview] {
        let shares = try found(inspection, in: store)
        let owners = Set(shares.map(\.owner)).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        if !owners.isEmpty { try await noteAccess(.shares, to: owners, in: store, reason: reason) }
        return shares
    }

    private func found(_ inspection: InspectShares, in store: any TenantStore) throws(AdminError) -> [ShareOverview] {
        var shares: [ShareOverview] = []
        for some in inspection.rows(try read(store, inspection.reading)).chunks(of: InspectShares.atOnce) {
            do { shares += try InspectShares.shares(some, read(store, InspectShares.reading(of: some))) } catch {
                throw AdminError(error)
            }
        }
        return shares
    }

    /// The account of a user; nil for a user without one.
    func account(of user: UserRow) throws(AdminError) -> AccountRow? {
        guard user.source == .account else { return nil }
        return try stored { () throws(StorageError) in try engine.account(id: user.sourceID) }
    }

    /// Those whom the owner of a share has named, and the owner's account.
    func people(
        of share: ShareOverview, in tenant: Tenant
    ) throws(AdminError) -> (owner: AccountRow?, participants: [KnownParticipant]) {
        let users = share.participants.compactMap(\.user) + [share.owner]
        var accounts: [UserID: AccountRow] = [:]
        for user in try rows(UserRow.keyed(users), of: try store(tenant)) { accounts[user.id] = try account(of: user) }
        let participants = share.participants.map { participant in
            KnownParticipant(participant: participant, account: participant.user.flatMap { accounts[$0] })
        }
        return (accounts[share.owner], participants)
    }

    /// Ends a share, or takes somebody out of it, as its owner would. From then on they see nothing of it; records stay.
    ///
    /// - Parameter name: An address or the name of a user record; nil ends the share for all.
    func revokeShare(
        at text: String, for name: String?, in tenant: Tenant, reason: String
    ) async throws(AdminError) {
        let store = try store(tenant)
        var share = try share(at: text, in: tenant)
        var participants = try name.map { name throws(AdminError) in try named(name, in: share, tenant) }
        let isMissing = participants?.isEmpty == true
        // Who is in a share is not said without a record, either.
        try await noteAccess(isMissing ? .shares : .revocation, to: [share.owner], in: store, reason: reason)
        guard let owner = try rows(UserRow.keyed([share.owner]), of: store).first else {
            throw .refused("The owner of the share has left; it ends with their data.")
        }
        if let name, isMissing {
            let account = try account(of: owner)
            guard owner.id.recordName != name, account?.hasAddress(name) != true else {
                throw .refused(
                    "\(Name(name).excerpt) is the owner of this share. To end it for all, revoke it without --participant."
                )
            }
            throw .notNamed(name, in: share)
        }
        for _ in 0..<Self.requestAttemptsMax {
            let outcome: ModifyRecords.Outcome?
            do {
                let request = try RecordsModifyRequest(json: share.modification(removing: participants)[...])
                outcome = try await modifyRecords(request, in: RecordPlace(privateDatabaseOf: owner, in: tenant)).first
            } catch { throw AdminError(error) }
            switch outcome {
            case .refused(.conflict):
                // Somebody has joined meanwhile, or the owner has changed the share, or done the same.
                guard let now = try found(InspectShares(at: share.address), in: store).first else { return }
                share = now
                if let name {
                    participants = try named(name, in: share, tenant)
                    if participants?.isEmpty == true { return }
                }
            case .refused(.recordNotFound), .saved, .deleted: return
            case .refused(let refusal): throw AdminError(refusal)
            case nil: throw .storage(.failed("a request without an outcome"))
            }
        }
        throw .refused("The share keeps changing; nothing was revoked. Try again.")
    }

    /// The participants who are a person: one, or several whom the owner named by their user and by their address.
    private func named(
        _ name: String, in share: ShareOverview, _ tenant: Tenant
    ) throws(AdminError) -> [ShareList.Participant] {
        let people = try people(of: share, in: tenant).participants
        func isNamed(_ known: KnownParticipant, _ address: String) -> Bool {
            !known.participant.emailAddress.isEmpty
                && EmailAddress.text(of: known.participant.emailAddress) == EmailAddress.text(of: address)
        }
        let found = people.filter {
            $0.participant.user?.recordName == name || $0.account?.hasAddress(name) == true || isNamed($0, name)
        }
        let accounts = found.compactMap(\.account)
        return people.filter { known in
            found.contains { $0.participant.id == known.participant.id }
                || accounts.contains { $0.id == known.account?.id || isNamed(known, $0.email) }
        }.map(\.participant)
    }
}

extension AdminError {
    fileprivate static func notNamed(_ name: String, in share: ShareOverview) -> AdminError {
        let visitors =
            share.row.publicPermission == .none
            ? "" : " Whoever has the address may visit it: to end that, revoke it without --participant."
        return .refused("\(Name(name).excerpt) is not named in this share.\(visitors) See who is: nephos share show")
    }
}
