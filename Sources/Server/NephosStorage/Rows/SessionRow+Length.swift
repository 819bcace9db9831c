extension SessionRow {
    /// How long a session lasts.
    public enum Kind: Int64, Sendable, CaseIterable {
        /// From its beginning, regardless of use.
        case fixed = 0
        /// From its last use.
        case short = 1
        /// From its last use, for people who want to stay signed in.
        case kept = 2

        /// Counted from its beginning or its last use.
        public var length: Milliseconds {
            switch self {
            case .fixed, .kept: 14 * Self.day
            case .short: 30 * Self.minute
            }
        }

        /// The minimum time between two extensions: an earlier use writes nothing.
        public var interval: Milliseconds {
            switch self {
            case .fixed: .max
            case .short: 5 * Self.minute
            case .kept: Self.day
            }
        }

        /// The maximum time from sign-in to the end, regardless of use.
        public static let longest: Milliseconds = 180 * day

        private static let minute: Milliseconds = 60_000
        private static let day: Milliseconds = 24 * 60 * minute
    }

    /// Whether the session is valid at this time: it has neither ended nor been revoked.
    public func isLive(at now: Milliseconds) -> Bool { revokedAt == 0 && expiresAt > now }

    /// Whether a use at a time would extend it.
    public func isDue(at time: Milliseconds) -> Bool {
        kind != .fixed && time - usedAt >= kind.interval && expiresAt < endsAt
    }

    /// The session after a use at a time; nil if that changes nothing: it had ended by then, or was extended recently.
    public func extended(byUseAt time: Milliseconds) -> SessionRow? {
        guard isLive(at: time), isDue(at: time) else { return nil }
        var session = self
        session.usedAt = time
        session.expiresAt = min(time + kind.length, endsAt)
        return session.expiresAt > expiresAt ? session : nil
    }
}

extension WriteSet {
    /// Ends a session early: it authenticates nothing from the next request on, on any server.
    ///
    /// - Parameters:
    ///   - session: As it was read; one that was ended already stays as it is.
    ///   - catalog: The catalog of the same reading.
    public mutating func end(_ session: SessionRow, at now: Milliseconds, seeing catalog: Catalog) {
        guard session.revokedAt == 0 else { return }
        var ended = session
        ended.revokedAt = max(now, 1)
        ended.endNumber = catalog.head.endedSessions + 1
        put(ended, replacing: session)
        endsSessions = true
    }
}
