import CloudKitWire

/// Walks through a zone's feed for somebody who is in some of its shares (docs/decisions/0065). Shared by all engines, which read the
/// pages of shares and zones that it consists of.
///
/// Each share starts at a sequence: where its member began to follow it. There, everything that it contained comes first, and later
/// changes come when their turn comes. So a page is one range of the zone after another, and in between the shares that start there.
package struct MemberFeedWalk {
    /// What must be read next.
    package enum Read {
        case share(ShareScan)
        case zone(FeedScan)
    }

    private struct Start {
        var share: ShareNumber
        var sequence: Sequence
        var since: Sequence
        var accepted: Sequence

        /// Whether it comes after the last share that was begun at a position.
        func isAfter(_ position: MemberFeedScan.Position) -> Bool {
            (since, accepted) > (position.since, position.accepted)
        }

        func isLast(of position: MemberFeedScan.Position) -> Bool {
            (since, accepted) == (position.since, position.accepted)
        }
    }

    private enum Reading {
        case start(Start)
        /// Changes up to a sequence.
        case range(through: Sequence)
    }

    private let scan: MemberFeedScan
    /// By ``MemberFeedScan/Membership/since`` and ``MemberFeedScan/Membership/accepted``.
    private let starts: [Start]
    private var page: MemberFeedPage
    private var reading: Reading?
    private var limit: Int
    private var bytes: Int
    private var isOver = false

    package init(_ scan: MemberFeedScan) {
        self.scan = scan
        starts = scan.memberships.map {
            Start(share: $0.share, sequence: max($0.since, scan.base), since: $0.since, accepted: $0.accepted)
        }.sorted { ($0.since, $0.accepted) < ($1.since, $1.accepted) }
        page = MemberFeedPage(changes: [], position: scan.after, more: false)
        (limit, bytes) = (scan.limit, scan.byteLimit)
    }

    /// - Returns: nil at the end of the page.
    package mutating func next() -> Read? {
        guard !isOver else { return nil }
        let position = page.position
        let here = starts.first {
            $0.sequence == position.sequence
                && ($0.isAfter(position) || $0.isLast(of: position) && position.seen < .max)
        }
        if let here {
            if here.isAfter(position) {
                page.position = MemberFeedScan.Position(
                    sequence: position.sequence, since: here.since, accepted: here.accepted)
            }
            reading = .start(here)
            return records(of: here)
        }
        // Who starts now has nothing to see after that.
        guard position.sequence < .max else { return nil }
        let through = starts.map(\.sequence).filter { $0 > position.sequence }.min() ?? .max
        reading = .range(through: through)
        return changes(through: through)
    }

    /// The records of a share that were in it when it was begun, except for those that changed since: these come later.
    private func records(of start: Start) -> Read {
        guard scan.isOfZone else {
            return .share(
                ShareScan(
                    zone: scan.zone, shares: [start.share], after: page.position.seen, through: start.sequence,
                    types: scan.types, limit: room, byteLimit: bytes))
        }
        return .zone(
            FeedScan(
                zone: scan.zone, bound: page.position.seen, through: start.sequence, tombstonesAfter: .max,
                types: scan.types, limit: room, byteLimit: bytes))
    }

    private func changes(through: Sequence) -> Read {
        let after = page.position.sequence
        guard scan.isOfZone else {
            let begun = starts.filter { $0.sequence <= after }.map(\.share).sorted()
            return .share(
                ShareScan(
                    zone: scan.zone, shares: begun, after: after, through: through, departures: true, types: scan.types,
                    limit: room, byteLimit: bytes))
        }
        return .zone(
            FeedScan(
                zone: scan.zone, bound: after, through: through, tombstonesAfter: max(after, scan.base),
                types: scan.types, limit: room, byteLimit: bytes))
    }

    private var room: Int { bytes > 0 ? limit : 0 }

    /// - Parameter found: What was read for ``next()``.
    package mutating func take(_ found: FeedPage) {
        page.changes += found.changes
        limit -= found.changes.count
        for change in found.changes { bytes -= change.bytes }
        switch reading {
        case .start:
            page.position.seen = found.more ? found.position : .max
        case .range(let through):
            let reached = found.more ? found.position : through
            // The end of the zone is not a position of its own: only who has the zone knows it.
            if reached == .max {
                isOver = true
                if let last = found.changes.last { page.position = MemberFeedScan.Position(sequence: last.sequence) }
            } else if reached > page.position.sequence {
                page.position = MemberFeedScan.Position(sequence: reached)
            }
        case nil: break
        }
        if found.more { (page.more, isOver) = (true, true) }
    }

    package consuming func finish() -> MemberFeedPage { page }
}

extension FeedChange {
    /// How much it adds to a page.
    fileprivate var bytes: Int {
        switch self {
        case .record(let row): Int(row.storedBytes)
        case .tombstone(let row): row.name.bytes.count
        case .departure(let row): row.name.bytes.count
        }
    }
}
