extension SessionRow {
    /// How long a session lasts.
    public enum Kind: Int64, Sendable, CaseIterable {
        /// From its beginning, however it is used.
        case fixed = 0
        /// From its last use.
        case short = 1
        /// From its last use, for who wants to stay signed in.
        case kept = 2

        /// From its beginning or its last use.
        public var length: Milliseconds {
            switch self {
            case .fixed, .kept: 14 * Self.day
            case .short: 30 * Self.minute
            }
        }

        /// How long after it was made longer a use makes it longer again: what comes before that writes nothing.
        public var interval: Milliseconds {
            switch self {
            case .fixed: .max
            case .short: 5 * Self.minute
            case .kept: Self.day
            }
        }

        /// From sign-in to the end, however a session is used.
        public static let longest: Milliseconds = 180 * day

        private static let minute: Milliseconds = 60_000
        private static let day: Milliseconds = 24 * 60 * minute
    }

    /// Whether the session lets somebody in at this time: it has neither ended nor been revoked.
    public func isLive(at now: Milliseconds) -> Bool { revokedAt == 0 && expiresAt > now }

    /// Whether a use at a time would make it longer.
    public func isDue(at time: Milliseconds) -> Bool {
        kind != .fixed && time - usedAt >= kind.interval && expiresAt < endsAt
    }

    /// As it stands when it was used at a time; nil where that changes nothing: it was over then, or was made longer lately.
    public func extended(byUseAt time: Milliseconds) -> SessionRow? {
        guard isLive(at: time), isDue(at: time) else { return nil }
        var session = self
        session.usedAt = time
        session.expiresAt = min(time + kind.length, endsAt)
        return session.expiresAt > expiresAt ? session : nil
    }
}

extension WriteSet {
    /// Ends a session before its time: it opens nothing from the next request on, at any server.
    ///
    /// - Parameters:
    ///   - session: As it was read; one that has ended stays as it is.
    ///   - catalog: Of the same reading.
    public mutating func end(_ session: SessionRow, at now: Milliseconds, seeing catalog: Catalog) {
        guard session.revokedAt == 0 else { return }
        var ended = session
        ended.revokedAt = max(now, 1)
        ended.endNumber = catalog.head.endedSessions + 1
        put(ended, replacing: session)
        endsSessions = true
    }
}
