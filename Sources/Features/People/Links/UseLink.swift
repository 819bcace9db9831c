import NephosDomain
import NephosRunner
import NephosStorage

/// Does what a link is for, once, in one transaction: there is no half account, and nobody has a link that was used for nothing.
struct UseLink: Sendable {
    enum Outcome: Sendable, Equatable {
        case done(account: String)
        /// It was used, or its time is over, or what it is about is gone.
        case over
        /// Somebody else has the address by now.
        case taken
    }

    let link: MailLinkRow
    /// Of whoever has no account yet.
    let newAccount: AccountRow
    /// Of the password that was chosen; nil where none is.
    let verifier: String?
    /// Tells the account's person of it, at the address of before.
    let notice: NewMail?
    let now: Milliseconds

    private var row: Scan<MailLinkRow> { MailLinkRow.keyed(link.id) }
    private var known: Scan<AccountRow> { AccountRow.keyed(link.account) }
    private var others: Scan<AccountRow> { AccountRow.withEmail(link.email) }
    private var methods: Scan<SignInMethodRow> { SignInMethodRow.all(of: link.account) }
    private var browsers: Scan<BrowserSessionRow> {
        BrowserSessionRow.of(link.account, limit: BrowserSession.countMax + 1)
    }

    private var unverified: Scan<UnverifiedRow> { UnverifiedRow.of(link.account) }
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
        guard let found = reading[row].first, found.isGood(at: now) else { return .write(writes, .over) }
        var used = found
        used.usedAt = max(now, 1)
        writes.put(used, replacing: found)
        guard !link.account.isEmpty else {
            guard reading[others].isEmpty else { return .write(WriteSet(), .taken) }
            writes.put(newAccount)
            put(nil, of: newAccount.id, &writes)
            return .write(writes, .done(account: newAccount.id))
        }
        guard let account = reading[known].first else { return .write(WriteSet(), .over) }
        // What somebody else may have asked for before leads nowhere any more.
        writes.spend(reading[all].filter { $0.id != link.id }, at: now)
        let password = reading[methods].first { $0.kind == .password }
        // The link came to this account's address, or to the one it is to have.
        for row in reading[unverified] { writes.remove(row) }
        switch link.kind {
        case .signUp:
            guard reading[methods].isEmpty, account.email == link.email else { return .write(WriteSet(), .over) }
            put(nil, of: account.id, &writes)
        case .recover:
            guard account.email == link.email else { return .write(WriteSet(), .over) }
            put(password, of: account.id, &writes)
            // Whoever was in is out: the person who has the mail begins anew.
            for session in reading[browsers] { writes.remove(session) }
            // Somebody else may have made the account with this address: nothing of theirs lets in any more.
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
