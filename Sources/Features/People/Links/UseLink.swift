import NephosDomain
import NephosRunner
import NephosStorage

/// Performs the purpose of a link once, in one transaction: no account is left half created, and no link is used up without
/// effect.
struct UseLink: Sendable {
    enum Outcome: Sendable, Equatable {
        case done(account: String)
        /// It was used or has expired, or its account is gone.
        case expired
        /// The address now belongs to another account.
        case taken
    }

    let link: MailLinkRow
    /// Created if there is no account yet.
    let newAccount: AccountRow
    /// The verifier of the chosen password; nil for none.
    let verifier: String?
    /// Notifies the account's person, at the previous address.
    let notice: NewMail?
    let now: Milliseconds

    private var row: Scan<MailLinkRow> { MailLinkRow.keyed(link.id) }
    private var known: Scan<AccountRow> { AccountRow.keyed(link.account) }
    private var others: Scan<AccountRow> { AccountRow.withAddress(link.email) }
    private var methods: Scan<SignInMethodRow> { SignInMethodRow.all(of: link.account) }
    private var browsers: Scan<BrowserSessionRow> {
        BrowserSessionRow.of(link.account, limit: BrowserSession.countMax + 1)
    }

    private var unverified: Scan<UnverifiedAccountRow> { UnverifiedAccountRow.of(link.account) }
    private var all: Scan<MailLinkRow> { MailLinkRow.about(link.account) }

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(row)
        set.ask(known)
        set.ask(others)
        set.ask(methods)
        set.ask(browsers)
        set.ask(unverified)
        if !link.account.isEmpty { set.ask(all) }
        notice?.ask(&set)
        return set
    }

    func decide(_ reading: Reading) -> Decision<Outcome> {
        var writes = WriteSet()
        guard let found = reading[row].first, found.isValid(at: now) else { return .write(writes, .expired) }
        var used = found
        used.usedAt = max(now, 1)
        writes.put(used, replacing: found)
        guard !link.account.isEmpty else {
            guard reading[others].isEmpty else { return .write(WriteSet(), .taken) }
            writes.put(newAccount)
            put(nil, of: newAccount.id, &writes)
            return .write(writes, .done(account: newAccount.id))
        }
        guard let account = reading[known].first else { return .write(WriteSet(), .expired) }
        // Links requested earlier, perhaps by somebody else, are now void.
        writes.spend(reading[all].filter { $0.id != link.id }, at: now)
        let password = reading[methods].first { $0.kind == .password }
        // The link was sent to this account's current or future address, which is now verified.
        for row in reading[unverified] { writes.remove(row) }
        switch link.kind {
        case .signUp:
            guard reading[methods].isEmpty, account.hasAddress(link.email) else { return .write(WriteSet(), .expired) }
            put(nil, of: account.id, &writes)
        case .recover:
            guard account.hasAddress(link.email) else { return .write(WriteSet(), .expired) }
            put(password, of: account.id, &writes)
            // All sessions end; the person who has the mail begins anew.
            for session in reading[browsers] { writes.remove(session) }
            // Somebody else may have created the account with this address: their passkeys no longer sign in.
            for passkey in reading[methods] where !reading[unverified].isEmpty && passkey.kind == .passkey {
                writes.remove(passkey)
            }
        case .changeEmail:
            guard reading[others].allSatisfy({ $0.id == account.id }) else { return .write(WriteSet(), .taken) }
            var changed = account
            changed.email = link.email
            if changed != account { writes.put(changed, replacing: account) }
        }
        _ = notice?.put(into: &writes, reading)
        return .write(writes, .done(account: account.id))
    }

    private func put(_ old: SignInMethodRow?, of account: String, _ writes: inout WriteSet) {
        guard let verifier else { return }
        writes.put(
            SignInMethodRow(account: account, kind: .password, verifier: verifier, createdAt: now), replacing: old)
    }
}
