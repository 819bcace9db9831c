import CloudKitWire
import Crypto
import NephosNetwork
import NephosRunner
import NephosStorage

/// A session on the pages of this server, as found in a request.
struct BrowserSession: Sendable {
    /// From the last use: without and with "keep me signed in".
    static let lifetime: Milliseconds = 30 * 60_000, keptLifetime: Milliseconds = 14 * 24 * 3_600_000
    /// From sign-in, regardless of use.
    static let longest: Milliseconds = 180 * 24 * 3_600_000
    /// The limit per account; beginning another ends the oldest.
    static let countMax = 100

    /// The value of the cookie. The hidden fields of forms are derived from it, too.
    let secret: String
    let row: BrowserSessionRow
    let account: AccountRow

    /// nil if the request has no valid session, or if the account is to be deleted: the person may have signed in while deletion
    /// was being requested. May block.
    static func of(
        _ request: RawRequest, _ place: PagePlace, in directory: any DirectoryStore
    ) throws(StorageError) -> BrowserSession? {
        guard let secret = SiteCookie.session.value(in: request, place),
            let row = try directory.rows(BrowserSessionRow.keyed(id(of: secret))).first,
            request.arrivedAt < row.expiresAt
        else { return nil }
        let (known, leaving) = (AccountRow.keyed(row.account), AccountDeletionRow.keyed(row.account))
        var set = ReadSet()
        set.ask(known)
        set.ask(leaving)
        let reading = try directory.read(set)
        guard let account = reading[known].first, reading[leaving].isEmpty else { return nil }
        return BrowserSession(secret: secret, row: row, account: account)
    }

    /// A session that begins with a request; not stored yet.
    init(_ account: AccountRow, isKept: Bool, _ request: RawRequest, _ randomSource: RandomSource) {
        let now = request.arrivedAt
        secret = SiteCookie.session.make(randomSource)
        self.account = account
        row = BrowserSessionRow(
            id: Self.id(of: secret), account: account.id, isKept: isKept, createdAt: now, usedAt: now,
            expiresAt: now + Self.lifetime(isKept), network: request.network.text,
            agent: request.headers.agent)
    }

    private init(secret: String, row: BrowserSessionRow, account: AccountRow) {
        (self.secret, self.row, self.account) = (secret, row, account)
    }

    /// The row with its lifetime extended by this use; nil if the change is too small for a write.
    func extended(by request: RawRequest) -> BrowserSessionRow? {
        let now = request.arrivedAt
        let worthwhile: Milliseconds = row.isKept ? 24 * 3_600_000 : 5 * 60_000
        guard now - row.usedAt >= worthwhile else { return nil }
        var row = row
        row.usedAt = now
        row.expiresAt = min(row.createdAt + Self.longest, now + Self.lifetime(row.isKept))
        row.network = request.network.text
        return row.expiresAt > self.row.expiresAt ? row : nil
    }

    /// The ID stored in the directory.
    static func id(of secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }

    private static func lifetime(_ isKept: Bool) -> Milliseconds { isKept ? keptLifetime : lifetime }
}

// MARK: In a commit

extension BrowserSession {
    /// Adds the reads that ``begin(in:_:)`` needs.
    static func ask(of account: String, in set: inout ReadSet) {
        set.ask(BrowserSessionRow.of(account, limit: countMax + 1))
    }

    /// Writes the session, and removes any beyond the limit.
    func begin(in writes: inout WriteSet, _ reading: Reading) {
        writes.put(row)
        for old in reading[BrowserSessionRow.of(row.account, limit: Self.countMax + 1)].dropFirst(Self.countMax - 1) {
            writes.remove(old)
        }
    }
}
