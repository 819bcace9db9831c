import NephosRunner
import NephosStorage

extension Passkeys {
    /// What a browser sends after it has created a passkey.
    struct CreationResponse: Sendable {
        /// ``ClientData``.
        var client: [UInt8]
        /// ``AttestationObject``.
        var object: [UInt8]
    }

    /// Adds a passkey that was just created to an account.
    ///
    /// - Parameters:
    ///   - name: As typed by the person.
    ///   - page: The same as for ``creationOptions(for:on:_:)``.
    /// - Throws: ``PasskeyProblem``; nothing is stored then.
    func register(_ made: CreationResponse, named name: String, for account: AccountRow, on page: PasskeyPage) throws {
        let name = try Self.name(name)
        let challenge = try challenge(of: made.client, to: .make, on: page.of(account.id))
        let data = try AttestationObject(made.object[...]).authenticator
        try check(data)
        guard let credential = data.credential else { throw PasskeyProblem.unreadable }
        _ = try SignatureKey(credential.key)
        let row = SignInMethodRow(
            account: account.id, kind: .passkey, id: Array(credential.id),
            verifier: PasskeyVerifier(key: Array(credential.writtenKey), counter: data.counter, flags: data.flags).text,
            name: name, createdAt: page.now)
        try store(row, challenge.once)
    }

    private func store(_ row: SignInMethodRow, _ once: OneTimeValue) throws {
        let known = AccountRow.keyed(row.account)
        let own = SignInMethodRow.passkeys(of: row.account)
        let same = SignInMethodRow.passkeys(called: row.id)
        var set = ReadSet()
        set.ask(known)
        set.ask(own)
        set.ask(same)
        set.ask(SignInMethodRow.anyPasskey)
        set.ask(RelyingPartyRow.all)
        try once.commit(to: directory, set) { reading in
            var writes = WriteSet()
            // If the account is gone meanwhile, no row that names it is written.
            guard !reading[known].isEmpty, once.spend(reading, &writes) else { throw PasskeyProblem.expired }
            guard reading[same].isEmpty else { throw PasskeyProblem.taken }
            guard reading[own].count < Self.countMax else { throw PasskeyProblem.tooMany }
            try claimParty(reading, &writes)
            writes.put(row)
            return .write(writes, ())
        }
    }

    /// Records the relying party of the first passkey. If others belong to another one, a server with other options has created
    /// them since this server started.
    private func claimParty(_ reading: Reading, _ writes: inout WriteSet) throws(PasskeyProblem) {
        let stored = reading[RelyingPartyRow.all].first
        guard stored?.host != party.host else { return }
        if let stored {
            guard reading[SignInMethodRow.anyPasskey].isEmpty else { throw .otherParty(stored.host) }
            writes.remove(stored)
        }
        writes.put(RelyingPartyRow(host: party.host))
    }

    // MARK: Checks of created and used passkeys

    /// Checks what the browser states about the page, and returns the challenge.
    func challenge(
        of client: [UInt8], to kind: ClientData.Kind, on page: PasskeyPage
    ) throws(PasskeyProblem) -> PasskeyChallenge {
        let client = try ClientData(client[...])
        guard client.kind == kind else { throw .unreadable }
        guard client.origin == page.origin.text, !client.isCrossOrigin, party.includes(page.origin) else {
            throw .elsewhere
        }
        return try PasskeyChallenge(client.challenge, to: kind, on: page)
    }

    func check(_ data: AuthenticatorData) throws(PasskeyProblem) {
        guard data.partyHash.elementsEqual(party.hash) else { throw .elsewhere }
        guard data.flags.isSuperset(of: [.isPresent, .isVerified]) else { throw .unverified }
    }
}

extension PasskeyPage {
    /// The page for one account: a challenge for one account is not valid for another.
    func of(_ account: String) -> PasskeyPage {
        PasskeyPage(origin: origin, bound: bound + [account], key: key, now: now)
    }
}
