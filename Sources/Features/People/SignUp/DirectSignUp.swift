import NephosDomain
import NephosRunner
import NephosStorage

/// Makes an account at once, with an address that nobody has verified: for apps whose operator has chosen that.
struct DirectSignUp: Sendable {
    enum Outcome: Sendable, Equatable {
        case done
        case taken
        /// Its network has made as many in a day as may be.
        case tooMany
    }

    let account: AccountRow
    let verifier: String
    /// Counts among the links that its network has asked for. Nobody gets it.
    let spent: MailLinkRow
    let now: Milliseconds

    private var others: Scan<AccountRow> { AccountRow.withEmail(account.email) }
    private var made: Scan<MailLinkRow> {
        MailLinkRow.from(spent.network, after: now - MailLinks.day, limit: MailLinks.networkMax)
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(others)
        set.ask(made)
        return set
    }

    func decide(_ reading: Reading) -> Decision<Outcome> {
        var writes = WriteSet()
        guard spent.network.isEmpty || reading[made].count < MailLinks.networkMax else {
            return .write(writes, .tooMany)
        }
        writes.put(spent)
        guard reading[others].isEmpty else { return .write(writes, .taken) }
        writes.put(account)
        writes.put(SignInMethodRow(account: account.id, kind: .password, verifier: verifier, createdAt: now))
        writes.put(UnverifiedRow(account: account.id, madeAt: now))
        return .write(writes, .done)
    }
}
