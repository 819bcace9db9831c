import NephosDomain
import NephosRunner
import NephosStorage

/// Has an account deleted, in a week or at once: from this transaction on nobody signs in with it, browsers are signed out of the pages of this
/// server, and links that were sent lead nowhere. Apps are signed out by whoever asks, or by a job within a second.
struct AskDeletion: Sendable {
    /// To change one's mind.
    static let delay: Milliseconds = 7 * 24 * 3_600_000
    /// After this a server does what whoever asked for it at once should have done, and may have died.
    private static let patience: Milliseconds = 60_000

    /// Id.
    let account: String
    let takesPublic: Bool
    let isAtOnce: Bool
    /// Tells its person; nil where nobody is told.
    var notice: NewMail?
    let now: Milliseconds

    private var known: Scan<AccountRow> { AccountRow.keyed(account) }
    private var deletion: Scan<AccountDeletionRow> { AccountDeletionRow.keyed(account) }
    private var links: Scan<MailLinkRow> { MailLinkRow.about(account) }
    private var browsers: Scan<BrowserSessionRow> { BrowserSessionRow.of(account, limit: BrowserSession.countMax + 1) }

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(known)
        set.ask(deletion)
        set.ask(links)
        set.ask(browsers)
        notice?.ask(&set)
        return set
    }

    /// Answers what is to come; nil where there is no such account. Who has asked for it before changes nothing but that it comes at once, and
    /// that public records go, too, as long as it has not begun.
    func decide(_ reading: Reading) -> Decision<AccountDeletionRow?> {
        var writes = WriteSet()
        let old = reading[deletion].first
        guard !reading[known].isEmpty || old != nil else { return .write(writes, nil) }
        var row =
            old ?? AccountDeletionRow(account: account, askedAt: now, dueAt: now + Self.delay, takesPublic: takesPublic)
        if row.begunAt == 0 { row.takesPublic = row.takesPublic || takesPublic }
        if isAtOnce { row.dueAt = min(row.dueAt, now) }
        if row != old { writes.put(row, replacing: old) }
        for session in reading[browsers] { writes.remove(session) }
        writes.spend(reading[links], at: now)
        if old == nil { _ = notice?.put(into: &writes, reading) }
        writes.ask(for: Job.leaving, at: isAtOnce ? now + Self.patience : now)
        return .write(writes, row)
    }
}

/// Keeps an account that was to be deleted.
struct KeepAccount: Sendable {
    enum Outcome: Sendable {
        case kept
        /// Nobody has asked for it to be deleted, there is no such account, or whoever asks has not proved any more that it is theirs.
        case isNotLeaving
        /// It has begun.
        case tooLate
    }

    let account: String
    /// When its person proved that it is theirs, which they do not by a password of before; nil for an operator.
    var provedAt: Milliseconds?
    let now: Milliseconds

    private var deletion: Scan<AccountDeletionRow> { AccountDeletionRow.keyed(account) }
    private var password: Scan<SignInMethodRow> { SignInMethodRow.password(of: account) }

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(deletion)
        set.ask(password)
        return set
    }

    func decide(_ reading: Reading) -> Decision<Outcome> {
        var writes = WriteSet()
        guard let row = reading[deletion].first else { return .write(writes, .isNotLeaving) }
        if let provedAt, reading[password].contains(where: { $0.createdAt > provedAt }) {
            return .write(writes, .isNotLeaving)
        }
        // A server may begin any moment with what is due.
        guard row.begunAt == 0, now < row.dueAt else { return .write(writes, .tooLate) }
        writes.remove(row)
        return .write(writes, .kept)
    }
}
