public import CloudKitWire
public import NephosStorage

/// `changes/database` and the older `zones/changes`: which custom zones changed since a token.
public struct DatabaseChanges: Sendable {
    private let context: RequestContext
    private let token: DatabaseToken?
    /// `token` as sent by the client.
    private let sent: String?
    private let limit: Int
    public let reading: ReadSet

    public struct Answer: Sendable {
        public var zones: [Zone]
        public var syncToken: String
        public var moreComing: Bool
    }

    public struct Zone: Sendable {
        public var zone: ZoneIdentity
        /// The token of its feed; nil for a deleted zone, and for one of somebody else.
        public var syncToken: String?
        /// Why it is not there any more; nil if it is.
        public var deletedReason: String?
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
        limit = min(request.resultsLimit ?? context.limits.itemsMax, context.limits.itemsMax)
        if isShared {
            set.ask(Self.shared(after: token?.sequence ?? 0, in: database, limit))
        } else {
            set.zoneFeeds = [
                ZoneFeedScan(
                    database: database, after: token?.sequence ?? 0, deletedAfter: token?.base ?? .max, limit: limit)
            ]
        }
        reading = set
    }

    /// What is read next of the public shares that the person visits; nil if they visit none, which is usual.
    public func visits(_ reading: Reading) -> ReadSet? {
        guard context.scope == .shared, let head = reading.databases[0], head.visits > 0 else { return nil }
        var set = ReadSet()
        set.ask(VisitCheck.visits(in: head.database))
        return set
    }

    /// The visits whose shares are to be looked at before the request is answered; nil if all have ended.
    ///
    /// - Parameter reading: Of ``visits(_:)``.
    public func check(_ reading: Reading) -> VisitCheck? {
        guard let database = self.reading.databases.first else { return nil }
        return VisitCheck(reading[VisitCheck.visits(in: database)], in: database, context)
    }

    public func answer(_ reading: Reading) throws(Refusal) -> Answer {
        guard let head = reading.databases[0] else { throw .failed }
        guard context.scope != .shared else { return try shared(reading, head) }
        try token?.check(against: head)
        guard let page = reading.zoneFeeds.first else { throw .failed }
        let next = DatabaseToken(
            database: head.database, sequence: page.position, base: token?.base ?? head.sequence)
        return Answer(zones: page.zones.map(zone), syncToken: syncToken(next, shared: false), moreComing: page.more)
    }

    /// A page of zones of others, and one more.
    private static func shared(
        after sequence: Sequence, in database: DatabaseNumber, _ limit: Int
    ) -> Scan<SharedZoneRow> {
        SharedZoneRow.changed(after: sequence, in: database, limit: limit + 1)
    }

    private func shared(_ reading: Reading, _ head: HeadRow) throws(Refusal) -> Answer {
        guard token == nil || token?.database == head.database else { throw .tokenExpired }
        let base = token?.base ?? head.sequence
        let rows = reading[Self.shared(after: token?.sequence ?? 0, in: head.database, limit)]
        let page = rows.prefix(limit)
        // Several rows may be of one zone: it is there as long as one says so (``SharedZoneList``).
        var places: [ForeignZoneName: Int] = [:]
        var zones: [Zone] = []
        for row in page where row.state == .live || row.sequence > base {
            let name = ForeignZoneName(owner: row.owner, zone: row.name)
            let zone = Zone(
                zone: ZoneIdentity(name: row.name, owner: row.owner), syncToken: nil,
                deletedReason: row.state == .live ? nil : row.reason.word)
            guard let place = places[name] else {
                places[name] = zones.count
                zones.append(zone)
                continue
            }
            if row.state == .live { zones[place] = zone }
        }
        let position = page.last?.sequence ?? token?.sequence ?? 0
        let next = DatabaseToken(database: head.database, sequence: position, base: base)
        return Answer(zones: zones, syncToken: syncToken(next, shared: true), moreComing: rows.count > limit)
    }

    /// The client's own token if its position has not changed: usually there are no changes.
    private func syncToken(_ next: DatabaseToken, shared: Bool) -> String {
        if let sent, next == token { return sent }
        return next.sealed(key: context.signingKey, shared: shared)
    }

    private func zone(_ row: ZoneRow) -> Zone {
        let isLive = row.state == .live
        return Zone(
            zone: context.identity(row.name), syncToken: isLive ? context.syncToken(of: row) : nil,
            deletedReason: isLive ? nil : "DELETED")
    }
}

extension ParticipantRow.Reason {
    /// In the protocol, as `deletedReason`.
    fileprivate var word: String {
        switch self {
        case .none, .removed: "REMOVED"
        case .unshared: "UNSHARED"
        case .deleted: "DELETED"
        case .ownerLeft: "OWNER_LEFT"
        }
    }
}
