public import NephosStorage

/// A use of a session by its authenticated person.
public struct SessionUse: Sendable {
    /// The session as it was known at the time.
    public let session: SessionRow
    public let time: Milliseconds
    public let source: RequestSource

    public init(of session: SessionRow, at time: Milliseconds, from source: RequestSource = RequestSource()) {
        self.session = session
        self.time = time
        self.source = source
    }
}

/// Extends sessions that were used (docs/decisions/0048). A session that was already extended, by whatever process, that has
/// ended, or that is gone stays as it is.
public struct ExtendSessions: Sendable {
    /// The maximum number of sessions per transaction.
    public static let most = 100

    /// The last of each session.
    private let uses: [[UInt8]: SessionUse]
    private let sessions: Scan<SessionRow>
    private let rows: Scan<SessionUseRow>
    public let reading: ReadSet

    /// - Parameter uses: At most ``most``.
    public init(_ uses: [SessionUse]) {
        self.uses = Dictionary(uses.map { ($0.session.id, $0) }) { $0.time > $1.time ? $0 : $1 }
        sessions = SessionRow.locked(Array(self.uses.keys))
        rows = SessionUseRow.of(Array(self.uses.keys))
        var set = ReadSet()
        // The same locks are held when the sessions are ended.
        set.databases = Set(uses.map(\.session.privateDatabase)).sorted()
        set.ask(sessions)
        set.ask(rows)
        reading = set
    }

    /// Returns the existing sessions in their new state.
    public func decide(_ reading: Reading) -> Decision<[SessionRow]> {
        var set = WriteSet()
        let now = reading[sessions].map { session in
            guard let use = uses[session.id], let extended = session.extended(byUseAt: use.time) else {
                return session
            }
            set.put(extended, replacing: session)
            set.note(use.source, of: session, replacing: reading[rows].first { $0.session == session.id })
            return extended
        }
        return .write(set, now)
    }
}
