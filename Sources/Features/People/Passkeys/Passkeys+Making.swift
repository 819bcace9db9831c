import NephosRunner
import NephosStorage

extension Passkeys {
    /// What a browser sends of a passkey that it has had made.
    struct Made: Sendable {
        /// ``ClientData``.
        var client: [UInt8]
        /// ``AttestationObject``.
        var object: [UInt8]
    }

    /// Gives an account a passkey that was made for it just now.
    ///
    /// - Parameters:
    ///   - name: As its person types it.
    ///   - page: As it was for ``optionsOfMaking(for:on:_:)``.
    /// - Throws: ``PasskeyProblem``, of which nothing is stored.
    func register(_ made: Made, named name: String, for account: AccountRow, on page: PasskeyPage) throws {
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

    private func store(_ row: SignInMethodRow, _ once: Once) throws {
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
            // The account may have gone meanwhile: then nothing that names it is written.
            guard !reading[known].isEmpty, once.spend(reading, &writes) else { throw PasskeyProblem.over }
            guard reading[same].isEmpty else { throw PasskeyProblem.taken }
            guard reading[own].count < Self.countMax else { throw PasskeyProblem.tooMany }
            try claimParty(reading, &writes)
            writes.put(row)
            return .write(writes, ())
        }
    }

    /// Notes whose the first passkey is. Where others are of another, a server of other options has made them since this one began.
    private func claimParty(_ reading: Reading, _ writes: inout WriteSet) throws(PasskeyProblem) {
        let stored = reading[RelyingPartyRow.all].first
        guard stored?.host != party.host else { return }
        if let stored {
            guard reading[SignInMethodRow.anyPasskey].isEmpty else { throw .otherParty(stored.host) }
            writes.remove(stored)
        }
        writes.put(RelyingPartyRow(host: party.host))
    }

    // MARK: What is checked of both, one that was made and one that was used

    /// What a browser says of the page.
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
    /// What one account is asked for there, another does not answer.
    func of(_ account: String) -> PasskeyPage {
        PasskeyPage(origin: origin, bound: bound + [account], key: key, now: now)
    }
}
