import NephosDomain
import NephosRunner
import NephosStorage

/// Schedules the deletion of an account, in a week or immediately: after this transaction nobody can sign in with it, browsers
/// are signed out of the pages of this server, and links sent by mail are void. Apps are signed out by the caller, or by a job
/// within a second.
struct ScheduleDeletion: Sendable {
    /// The time in which people can change their mind.
    static let delay: Milliseconds = 7 * 24 * 3_600_000
    /// After this, a server performs an immediate deletion that its caller has not finished, perhaps because it died.
    private static let finishTimeout: Milliseconds = 60_000

    /// ID.
    let account: String
    let takesPublic: Bool
    let isAtOnce: Bool
    /// A mail that notifies the person; nil for none.
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

    /// Returns the scheduled deletion; nil if there is no such account. Repeating the request can only make it immediate, or
    /// include public records if it has not begun.
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
        writes.ask(for: Job.leaving, at: isAtOnce ? now + Self.finishTimeout : now)
        return .write(writes, row)
    }
}

/// Cancels the deletion of an account.
struct CancelDeletion: Sendable {
    enum Outcome: Sendable {
        case kept
        /// No deletion is scheduled, there is no such account, or the caller's proof of ownership is no longer valid.
        case isNotLeaving
        /// The deletion has begun.
        case tooLate
    }

    let account: String
    /// When the person proved ownership, which must not be with an earlier password; nil for an operator.
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
        // A server may begin a due deletion at any moment.
        guard row.begunAt == 0, now < row.dueAt else { return .write(writes, .tooLate) }
        writes.remove(row)
        return .write(writes, .kept)
    }
}
