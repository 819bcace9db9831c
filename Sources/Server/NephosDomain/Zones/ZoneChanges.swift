public import CloudKitWire
public import NephosStorage

/// `changes/zone` and the older `records/changes`: what changed in custom zones since a token.
public struct ZoneChanges: Sendable {
    /// One zone of the request.
    private struct Entry: Sendable {
        var zone: ZoneAddress
        var start: Start
        /// An empty token requests only the current token.
        var isCaughtUp: Bool
        var reverse: Bool
    }

    /// Where the client wants to continue.
    private enum Start: Sendable {
        /// `sent` is the text of the token.
        case owner(ZoneToken?, sent: String?)
        indirect case member(MemberToken?, Reach)
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
        fileprivate let address: ZoneAddress
        fileprivate let context: RequestContext

        /// Passes on every change, in order: records, and what was deleted, or left what is shared with the caller. What is of a removed
        /// type is skipped.
        ///
        /// - Parameters:
        ///   - saved: Two functions, because a value that is either of the two is copied for each record.
        ///   - deleted: Name, type and sequence.
        public func forEachChange(
            saved: (StoredRecord) -> Void, deleted: (_ name: Name, _ type: Name, Sequence) -> Void
        ) {
            let isOwn = address.reach == nil
            // Each is created on demand, so that a page is not held twice.
            for change in stored {
                switch change {
                case .record(let row):
                    guard let type = context.catalog.type(row.type) else { continue }
                    saved(
                        isOwn && !row.isOfSharing
                            ? StoredRecord(row: row, type: type)
                            : StoredRecord(row: row, type: type, in: address, context))
                case .tombstone(let row):
                    if let type = context.catalog.type(row.type) { deleted(row.name, type.row.name, row.sequence) }
                case .departure(let row):
                    if let type = context.catalog.type(row.type) { deleted(row.name, type.row.name, row.sequence) }
                }
            }
        }
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
            Self.ask(entry, zone, context, &set)
        }
        set.feedBudget = FeedBudget(rows: Self.rowsMax, bytes: context.limits.pageBytesMax)
        reading = set
    }

    private static func entry(
        _ zone: ZoneChangesQuery, context: RequestContext
    ) throws(Refusal) -> Entry {
        let address = try context.address(zone.zoneID)
        guard address.zone != defaultZoneName else {
            throw .badRequest(
                "cannot get changes in default zone: query it, or keep the records in a zone that zones/modify creates")
        }
        let text = zone.syncToken
        let sent = text.flatMap { $0.isEmpty ? nil : $0.text }
        let start: Start
        if let reach = address.reach {
            guard !zone.reverse else {
                throw .badRequest("reverse is for zones of one's own: read the changes of a shared zone forwards")
            }
            start = .member(
                try sent.map { text throws(Refusal) in try MemberToken(text, key: context.signingKey) }, reach)
        } else {
            start = .owner(
                try sent.map { text throws(Refusal) in try ZoneToken(text, key: context.signingKey) }, sent: sent)
        }
        return Entry(zone: address, start: start, isCaughtUp: text?.isEmpty == true, reverse: zone.reverse)
    }

    private static func ask(
        _ entry: Entry, _ zone: ZoneChangesQuery, _ context: RequestContext, _ set: inout ReadSet
    ) {
        let types = zone.desiredRecordTypes.map { names in
            Set(names.compactMap { context.catalog.types[$0]?.row.number })
        }
        let limit = entry.isCaughtUp ? 1 : min(zone.resultsLimit ?? context.limits.itemsMax, context.limits.itemsMax)
        switch entry.start {
        case .owner(let token, _):
            let start: Sequence = entry.reverse || entry.isCaughtUp ? .max : 0
            set.feeds.append(
                FeedScan(
                    zone: entry.zone.key, bound: token?.sequence ?? start, reverse: entry.reverse,
                    // A client that starts from nothing needs no tombstones.
                    tombstonesAfter: token.map(\.base) ?? .max, types: types, limit: limit,
                    byteLimit: context.limits.pageBytesMax, examinedLimit: rowsMax))
        case .member(let token, let reach) where !entry.isCaughtUp:
            set.memberFeeds.append(
                reach.feed(
                    entry.zone.key, base: token?.base ?? .max, after: token?.position ?? .start, types: types,
                    limit: limit, byteLimit: context.limits.pageBytesMax))
        case .member: break
        }
    }

    public func answer(_ reading: Reading) -> [Result<Page, Refusal>] {
        var zones = reading.zones.makeIterator()
        var (feeds, memberFeeds) = (reading.feeds.makeIterator(), reading.memberFeeds.makeIterator())
        return entries.map { entry in
            Result { () throws(Refusal) in
                let entry = try entry.get()
                let zone = zones.next() ?? nil
                switch entry.start {
                case .owner(let token, let sent):
                    guard let feed = feeds.next(), let zone else { throw Refusal.zoneNotFound(entry.zone.zone) }
                    try token?.check(against: zone)
                    return page(
                        entry, try text(of: next(entry, token, zone, feed), instead: token, sent), zone, feed.changes,
                        more: feed.more)
                case .member(let token, let reach):
                    let feed = entry.isCaughtUp ? nil : memberFeeds.next()
                    guard let zone, let user = context.caller.user else { throw Refusal.zoneNotFound(entry.zone.zone) }
                    try token?.check(user, zone, reach)
                    let next = next(user, token, zone, feed, reach)
                    return page(
                        entry, try next.encrypted(key: context.signingKey), zone, feed?.changes ?? [],
                        more: feed?.more ?? false)
                }
            }
        }
    }

    private func page(
        _ entry: Entry, _ token: String, _ zone: ZoneRow, _ changes: [FeedChange], more: Bool
    ) -> Page {
        Page(
            zone: entry.zone.identity, syncToken: token, moreComing: more,
            // Only for its own author: a zone of the private database has one person.
            clientToken: context.scope == .private ? zone.clientToken : nil, stored: changes, address: entry.zone,
            context: context)
    }

    /// The client's own token if its position has not changed: usually there are no changes.
    private func text(of next: ZoneToken, instead token: ZoneToken?, _ sent: String?) throws(Refusal) -> String {
        if let sent, next == token { return sent }
        return next.sealed(key: context.signingKey)
    }

    /// The client's position after this page. At the end of the feed that is the zone's last change, so that a token that saw
    /// everything does not expire before something changes.
    private func next(_ entry: Entry, _ token: ZoneToken?, _ zone: ZoneRow, _ feed: FeedPage) -> ZoneToken {
        let base = token?.base ?? zone.changedSequence
        let sequence: Sequence
        if entry.reverse {
            sequence = feed.more ? feed.position : (feed.changes.last?.sequence ?? token?.sequence ?? 0)
        } else if entry.isCaughtUp {
            sequence = zone.changedSequence
        } else {
            sequence = feed.more ? feed.position : max(zone.changedSequence, token?.sequence ?? 0)
        }
        return ZoneToken(database: zone.database, zone: zone.number, sequence: sequence, base: base)
    }

    /// The same for a zone of somebody else. - Parameter feed: nil for a client that only wants the end.
    private func next(
        _ user: UserID, _ token: MemberToken?, _ zone: ZoneRow, _ feed: MemberFeedPage?, _ reach: Reach
    ) -> MemberToken {
        let base = token?.base ?? zone.changedSequence
        var position = feed?.position ?? reach.end(at: zone.changedSequence)
        // The present, in which a client without a token has started.
        if position.sequence == .max { position.sequence = zone.changedSequence }
        if feed?.more == false, position.sequence < zone.changedSequence {
            position = MemberFeedScan.Position(sequence: zone.changedSequence)
        }
        return MemberToken(user, zone, base: base, position: position, reach)
    }
}

extension Reach {
    /// The position of a device that has everything.
    fileprivate func end(at sequence: Sequence) -> MemberFeedScan.Position {
        let last = memberships.max { ($0.since, $0.accepted) < ($1.since, $1.accepted) }
        return MemberFeedScan.Position(
            sequence: sequence, since: last?.since ?? 0, accepted: last?.accepted ?? 0, seen: .max)
    }
}
