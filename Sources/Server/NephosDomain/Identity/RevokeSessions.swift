public import CloudKitWire
public import NephosStorage

/// Takes sessions of one person back, with the devices that were registered with them.
public struct RevokeSessions: Sendable {
    public enum Which: Sendable {
        case one([UInt8])
        /// All of them, and all devices of the person, also those that name no session.
        case all
    }

    /// Sessions in one transaction.
    public static let most = 500

    public struct Answer: Sendable, Equatable {
        public var sessions = 0
        public var devices = 0

        public init() {}
    }

    private let which: Which
    private let sessions: Scan<SessionRow>
    private let now: Milliseconds
    private let devices: Scan<DeviceRow>
    public let reading: ReadSet

    /// - Parameter home: The person's private database. Its head's lock keeps a device from being registered meanwhile.
    public init(_ which: Which, of user: UserID, home: DatabaseNumber, now: Milliseconds) {
        self.which = which
        self.now = now
        devices = DeviceRow.of([(user, home)])
        sessions =
            switch which {
            case .one(let id): SessionRow.keyed([id])
            case .all: SessionRow.unrevoked(of: user, limit: Self.most)
            }
        var set = ReadSet()
        set.databases = [home]
        set.ask(devices)
        set.ask(sessions)
        reading = set
    }

    /// - Returns: Of ``Which/all`` there may be more when it took back ``most`` sessions.
    public func decide(_ reading: Reading) -> Decision<Answer> {
        var answer = Answer()
        var set = WriteSet()
        for session in reading[sessions] where session.revokedAt == 0 {
            var revoked = session
            revoked.revokedAt = max(now, 1)
            set.put(revoked, replacing: session)
            // Who remembers a session looks at the catalog's version.
            set.raisesCatalogVersion = true
            answer.sessions += 1
        }
        for device in reading[devices] where ends(device) {
            set.remove(device)
            answer.devices += 1
        }
        return .write(set, answer)
    }

    private func ends(_ device: DeviceRow) -> Bool {
        switch which {
        case .one(let id): device.sessionID == id
        case .all: true
        }
    }
}

/// Forgets sessions whose time was over long ago. Nobody is let in by them, whether they are there or not.
public struct ForgetSessions: Sendable {
    /// For how long people may still see them in a list.
    public static let kept: Milliseconds = 24 * 3_600_000

    /// Those that go.
    public let sessions: Scan<SessionRow>

    public var reading: ReadSet {
        var set = ReadSet()
        set.ask(sessions)
        return set
    }

    public init(now: Milliseconds, limit: Int) {
        sessions = SessionRow.expired(before: now - Self.kept, limit: limit)
    }

    /// Answers how many went.
    public func decide(_ reading: Reading) -> Decision<Int> {
        let uses = CredentialUseRow.keyed(reading[sessions].map { CredentialKey(.session, $0.id) })
        guard let used = reading.rows(of: uses) else {
            var more = ReadSet()
            more.ask(uses)
            return .need(more)
        }
        var set = WriteSet()
        // Nobody remembers them: they ended long ago.
        for session in reading[sessions] { set.remove(session) }
        for use in used { set.remove(use) }
        return .write(set, reading[sessions].count)
    }
}
