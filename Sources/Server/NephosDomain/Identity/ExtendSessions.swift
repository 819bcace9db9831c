public import NephosStorage

/// That somebody used a session, who was proved to be its person.
public struct SessionUse: Sendable {
    /// As it was known then.
    public let session: SessionRow
    public let time: Milliseconds

    public init(of session: SessionRow, at time: Milliseconds) {
        self.session = session
        self.time = time
    }
}

/// Makes sessions longer that were used (docs/decisions/0048). What was made longer already, whoever did it, has ended, or is gone
/// stays as it is.
public struct ExtendSessions: Sendable {
    /// Sessions in one transaction.
    public static let most = 100

    private let uses: [[UInt8]: Milliseconds]
    private let sessions: Scan<SessionRow>
    public let reading: ReadSet

    /// - Parameter uses: At most ``most``.
    public init(_ uses: [SessionUse]) {
        self.uses = Dictionary(uses.map { ($0.session.id, $0.time) }, uniquingKeysWith: max)
        sessions = SessionRow.locked(Array(self.uses.keys))
        var set = ReadSet()
        // Under these locks their sessions are ended, too.
        set.databases = Set(uses.map(\.session.privateDatabase)).sorted()
        set.ask(sessions)
        reading = set
    }

    /// Answers those that are there, as they stand now.
    public func decide(_ reading: Reading) -> Decision<[SessionRow]> {
        var set = WriteSet()
        let now = reading[sessions].map { session in
            guard let time = uses[session.id], let extended = session.extended(byUseAt: time) else { return session }
            set.put(extended, replacing: session)
            return extended
        }
        return .write(set, now)
    }
}
