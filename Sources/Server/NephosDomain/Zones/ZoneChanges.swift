public import CloudKitWire
public import NephosStorage

/// `changes/zone` and the older `records/changes`: what changed in custom zones since a token.
public struct ZoneChanges: Sendable {
    /// One zone of the request.
    private struct Entry: Sendable {
        var zone: ZoneAddress
        var token: ZoneToken?
        /// `token` as sent by the client.
        var sent: String?
        /// An empty token requests only the current token.
        var isCaughtUp: Bool
        var reverse: Bool
    }

    /// The maximum number of rows of all feeds of a request together: a page that filters by type reads rows that it does not
    /// return.
    static let rowsMax = 10_000

    private let context: RequestContext
    private let entries: [Result<Entry, Refusal>]
    public let reading: ReadSet

    public struct Page: Sendable {
        public let zone: ZoneIdentity
        public let syncToken: String
        public let moreComing: Bool
        /// The client token of the latest request accepted in the zone, of the whole zone, not of this page.
        public let clientToken: [UInt8]?
        fileprivate let stored: [FeedChange]
        fileprivate let context: RequestContext

        /// Calls `body` with every change, in order. Records of a removed type are skipped.
        public func forEachChange(_ body: (Change) -> Void) {
            // Each is created on demand, so that a page is not held twice.
            for change in stored {
                switch change {
                case .record(let row):
                    if let record = context.stored(row) { body(.record(record)) }
                case .tombstone(let row):
                    if let type = context.catalog.type(row.type) { body(.deleted(row, type: type.row.name)) }
                }
            }
        }
    }

    public enum Change: Sendable {
        case record(StoredRecord)
        case deleted(TombstoneRow, type: Name)
    }

    public init(_ zones: [ZoneChangesQuery], context: RequestContext) throws(Refusal) {
        try context.require(.private, .shared)
        self.context = context
        _ = try context.home()
        var set = ReadSet()
        entries = zones.map { zone in
            Result { () throws(Refusal) in try Self.entry(zone, context: context) }
        }
        for case (.success(let entry), let zone) in zip(entries, zones) {
            set.zones.append(entry.zone.key)
            set.feeds.append(Self.scan(entry, zone, key: entry.zone.key, context: context))
        }
        set.feedBudget = FeedBudget(rows: Self.rowsMax, bytes: context.limits.pageBytesMax)
        reading = set
    }

    private static func entry(
        _ zone: ZoneChangesQuery, context: RequestContext
    ) throws(Refusal) -> Entry {
        let address = try context.address(zone.zoneID)
        // Which of its changes concern a share is not known yet.
        guard address.reach == nil else { throw .zoneNotFound(address.zone, .none) }
        guard address.zone != defaultZoneName else {
            throw .badRequest(
                "cannot get changes in default zone: query it, or keep the records in a zone that zones/modify creates")
        }
        let text = zone.syncToken
        let sent = text.flatMap { $0.isEmpty ? nil : $0.text }
        let token = try sent.map { text throws(Refusal) in try ZoneToken(text, key: context.signingKey) }
        return Entry(
            zone: address, token: token, sent: sent, isCaughtUp: text?.isEmpty == true, reverse: zone.reverse)
    }

    private static func scan(
        _ entry: Entry, _ zone: ZoneChangesQuery, key: ZoneKey, context: RequestContext
    ) -> FeedScan {
        let types = zone.desiredRecordTypes.map { names in
            Set(names.compactMap { context.catalog.types[$0]?.row.number })
        }
        let limit = entry.isCaughtUp ? 1 : min(zone.resultsLimit ?? context.limits.itemsMax, context.limits.itemsMax)
        let start: Sequence = entry.reverse || entry.isCaughtUp ? .max : 0
        return FeedScan(
            zone: key, bound: entry.token?.sequence ?? start, reverse: entry.reverse,
            // A client that starts from nothing needs no tombstones.
            tombstonesAfter: entry.token.map(\.base) ?? .max, types: types, limit: limit,
            byteLimit: context.limits.pageBytesMax, examinedLimit: Self.rowsMax)
    }

    public func answer(_ reading: Reading) -> [Result<Page, Refusal>] {
        var found = zip(reading.zones, reading.feeds).makeIterator()
        return entries.map { entry in
            Result { () throws(Refusal) in
                let entry = try entry.get()
                guard let (zone, feed) = found.next(), let zone else { throw Refusal.zoneNotFound(entry.zone.zone) }
                return try page(entry, zone, feed)
            }
        }
    }

    private func page(_ entry: Entry, _ zone: ZoneRow, _ feed: FeedPage) throws(Refusal) -> Page {
        try entry.token?.check(against: zone)
        return Page(
            zone: entry.zone.identity, syncToken: syncToken(entry, zone, feed), moreComing: feed.more,
            // Only for its own author: a zone of the private database has one person.
            clientToken: context.scope == .private ? zone.clientToken : nil, stored: feed.changes, context: context)
    }

    /// The client's own token if its position has not changed: usually there are no changes.
    private func syncToken(_ entry: Entry, _ zone: ZoneRow, _ feed: FeedPage) -> String {
        let next = next(entry, zone, feed)
        if let sent = entry.sent, next == entry.token { return sent }
        return next.sealed(key: context.signingKey)
    }

    /// The client's position after this page. At the end of the feed that is the zone's last change, so that a token that saw
    /// everything does not expire before something changes.
    private func next(_ entry: Entry, _ zone: ZoneRow, _ feed: FeedPage) -> ZoneToken {
        let base = entry.token?.base ?? zone.changedSequence
        let sequence: Sequence
        if entry.reverse {
            sequence = feed.more ? feed.position : (feed.changes.last?.sequence ?? entry.token?.sequence ?? 0)
        } else if entry.isCaughtUp {
            sequence = zone.changedSequence
        } else {
            sequence = feed.more ? feed.position : max(zone.changedSequence, entry.token?.sequence ?? 0)
        }
        return ZoneToken(database: zone.database, zone: zone.number, sequence: sequence, base: base)
    }
}
