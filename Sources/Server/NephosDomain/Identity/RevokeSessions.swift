public import CloudKitWire
public import NephosStorage

/// Revokes sessions of one person, with the devices that were registered with them.
public struct RevokeSessions: Sendable {
    public enum Which: Sendable, Equatable {
        case one([UInt8])
        /// All of them, and all devices of the person, including those without a session.
        case all
        /// Those that an operator created.
        case fixed
    }

    /// The maximum number of sessions per transaction.
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

    /// - Parameter home: The person's private database. Its head's lock prevents a device from being registered meanwhile.
    public init(_ which: Which, of user: UserID, home: DatabaseNumber, now: Milliseconds) {
        self.which = which
        self.now = now
        devices = DeviceRow.of([(user, home)])
        sessions =
            switch which {
            case .one(let id): SessionRow.keyed([id])
            case .all, .fixed: SessionRow.unrevoked(of: user, limit: Self.most)
            }
        var set = ReadSet()
        set.databases = [home]
        set.ask(devices)
        set.ask(sessions)
        reading = set
    }

    /// - Returns: With ``Which/all`` there may be more if it revoked ``most`` sessions.
    public func decide(_ reading: Reading) -> Decision<Answer> {
        var answer = Answer()
        var set = WriteSet()
        let ended = reading[sessions].filter { $0.revokedAt == 0 && (which != .fixed || $0.kind == .fixed) }
        for session in ended {
            set.end(session, at: now, seeing: reading.catalog)
            answer.sessions += 1
        }
        for device in reading[devices] where ends(device, with: ended) {
            set.remove(device)
            answer.devices += 1
        }
        return .write(set, answer)
    }

    private func ends(_ device: DeviceRow, with ended: [SessionRow]) -> Bool {
        switch which {
        case .one(let id): device.sessionID == id
        case .all: true
        case .fixed: ended.contains { $0.id == device.sessionID }
        }
    }
}

/// Deletes session rows: those that expired long ago and admit nobody, whether they exist or not; or all of a person who leaves.
public struct ForgetSessions: Sendable {
    /// How long people may still see them in a list.
    public static let kept: Milliseconds = 24 * 3_600_000

    /// The rows to delete.
    public let sessions: Scan<SessionRow>

    public var reading: ReadSet {
        var set = ReadSet()
        set.ask(sessions)
        return set
    }

    private let now: Milliseconds

    public init(now: Milliseconds, limit: Int) {
        sessions = SessionRow.expired(before: now - Self.kept, limit: limit)
        self.now = now
    }

    public init(of user: UserID, now: Milliseconds, limit: Int) {
        sessions = SessionRow.of(user, limit: limit)
        self.now = now
    }

    /// Returns how many were deleted.
    public func decide(_ reading: Reading) -> Decision<Int> {
        let uses = CredentialUseRow.keyed(reading[sessions].map { CredentialKey(.session, $0.id) })
        guard let used = reading.rows(of: uses) else {
            var more = ReadSet()
            more.ask(uses)
            return .need(more)
        }
        var set = WriteSet()
        // No process remembers those that ended long ago. A process that remembers another one could no longer see in its row that
        // it has ended.
        set.raisesCatalogVersion = reading[sessions].contains { now < $0.expiresAt }
        for session in reading[sessions] { set.remove(session) }
        for use in used { set.remove(use) }
        return .write(set, reading[sessions].count)
    }
}
