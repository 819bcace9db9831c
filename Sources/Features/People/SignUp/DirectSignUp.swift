import NephosDomain
import NephosRunner
import NephosStorage

/// Creates an account immediately, with an unverified address: for apps whose operator has chosen this.
struct DirectSignUp: Sendable {
    enum Outcome: Sendable, Equatable {
        case done
        case taken
        /// The network has reached its daily limit.
        case tooMany
    }

    let account: AccountRow
    let verifier: String
    /// A row that counts among the links requested by the network. It is not sent to anybody.
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
        writes.put(UnverifiedRow(account: account.id, createdAt: now))
        return .write(writes, .done)
    }
}
