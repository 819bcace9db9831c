import NephosDomain
import NephosRunner
import NephosStorage

/// Creates an account immediately, with an unverified address: for apps whose operator has chosen this. In two commits, so that
/// a sign-up is counted before its password is hashed.
struct DirectSignUp: Sendable {
    enum Outcome: Sendable, Equatable {
        case done
        case taken
        /// The network has reached its daily limit.
        case tooMany
    }

    let account: AccountRow
    /// A row that counts among the links requested by the network. It is not sent to anybody.
    let spent: MailLinkRow

    private var others: Scan<AccountRow> { AccountRow.withAddress(account.email) }
    private var share: NetworkShare<MailLinkRow> { MailLinks.share(of: spent) }
    private var counted: Scan<MailLinkRow> { MailLinkRow.keyed(spent.id) }

    /// Counts the sign-up. May block.
    func count(_ runner: Runner) throws -> Outcome {
        var set = ReadSet()
        set.ask(others)
        share.ask(&set)
        return try runner.commitDirectory(set) { reading -> Decision<Outcome> in
            var writes = WriteSet()
            guard share.full(reading) == nil else { return .write(writes, .tooMany) }
            writes.put(spent)
            return .write(writes, reading[others].isEmpty ? .done : .taken)
        }
    }

    /// Takes it back, because nothing was done for it. May block.
    func takeBack(_ runner: Runner) throws {
        var set = ReadSet()
        set.ask(counted)
        try runner.commitDirectory(set) { reading in
            var writes = WriteSet()
            for row in reading[counted] { writes.remove(row) }
            return .write(writes, ())
        }
    }

    /// Creates the account, unless somebody else has created one with this address meanwhile. May block.
    func create(_ runner: Runner, verifier: String, at now: Milliseconds) throws -> Outcome {
        var set = ReadSet()
        set.ask(others)
        return try runner.commitDirectory(set) { reading -> Decision<Outcome> in
            var writes = WriteSet()
            guard reading[others].isEmpty else { return .write(writes, .taken) }
            writes.put(account)
            writes.put(SignInMethodRow(account: account.id, kind: .password, verifier: verifier, createdAt: now))
            writes.put(UnverifiedAccountRow(account: account.id, createdAt: now))
            return .write(writes, .done)
        }
    }
}
