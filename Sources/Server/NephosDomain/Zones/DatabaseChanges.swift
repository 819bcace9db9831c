public import CloudKitWire
public import NephosStorage

/// `changes/database` and the older `zones/changes`: which custom zones changed since a token.
public struct DatabaseChanges: Sendable {
    private let context: RequestContext
    private let token: DatabaseToken?
    /// `token` as sent by the client.
    private let sent: String?
    public let reading: ReadSet

    public struct Answer: Sendable {
        public var zones: [Zone]
        public var syncToken: String
        public var moreComing: Bool
    }

    public struct Zone: Sendable {
        public var zone: ZoneIdentity
        /// The token of its feed; nil for a deleted zone.
        public var syncToken: String?
        public var isDeleted: Bool { syncToken == nil }
    }

    public init(_ request: DatabaseChangesRequest, context: RequestContext) throws(Refusal) {
        try context.require(.private, .shared)
        self.context = context
        let database = try context.home()
        let isShared = context.scope == .shared
        sent = request.syncToken.flatMap { $0.isEmpty ? nil : $0.text }
        token = try sent.map { text throws(Refusal) in
            try DatabaseToken(text, key: context.signingKey, shared: isShared)
        }
        var set = ReadSet()
        set.databases = [database]
        if !isShared {
            set.zoneFeeds = [
                ZoneFeedScan(
                    database: database, after: token?.sequence ?? 0, deletedAfter: token?.base ?? .max,
                    limit: min(request.resultsLimit ?? context.limits.itemsMax, context.limits.itemsMax))
            ]
        }
        reading = set
    }

    public func answer(_ reading: Reading) throws(Refusal) -> Answer {
        guard let head = reading.databases[0] else { throw .failed }
        try token?.check(against: head)
        // Nothing is shared yet, so the feed of the shared database is empty and stays at its start.
        guard let page = reading.zoneFeeds.first else {
            let start = DatabaseToken(database: head.database, sequence: 0, base: 0)
            return Answer(zones: [], syncToken: syncToken(token ?? start, shared: true), moreComing: false)
        }
        let next = DatabaseToken(
            database: head.database, sequence: page.position, base: token?.base ?? head.sequence)
        return Answer(zones: page.zones.map(zone), syncToken: syncToken(next, shared: false), moreComing: page.more)
    }

    /// The client's own token if its position has not changed: usually there are no changes.
    private func syncToken(_ next: DatabaseToken, shared: Bool) -> String {
        if let sent, next == token { return sent }
        return next.sealed(key: context.signingKey, shared: shared)
    }

    private func zone(_ row: ZoneRow) -> Zone {
        Zone(zone: context.identity(row.name), syncToken: row.state == .live ? context.syncToken(of: row) : nil)
    }
}
