import CloudKitWire
import NephosStorage

/// Pages of feeds: changes of different kinds, merged by sequence.
struct FeedReader {
    let connection: Connection

    /// A page of a zone: records and tombstones.
    ///
    /// - Parameter shared: The budget that the page shares with earlier ones.
    func page(_ scan: FeedScan, in place: ZonePlace, _ shared: inout SharedPages) throws(StorageError) -> FeedPage {
        guard let zone = place.number else { return FeedPage(changes: [], position: scan.bound, more: false) }
        var records = try connection.start(
            scan.reverse ? Self.recordsDown : Self.recordsUp, place.database, zone, scan.bound)
        var tombstones =
            try scan.reverse
            ? connection.start(Self.tombstonesDown, place.database, zone, scan.tombstonesAfter, scan.bound)
            : connection.start(
                Self.tombstonesUp, place.database, zone, max(scan.bound, scan.tombstonesAfter))

        var page = FeedPageBuilder(PageLimiter(scan, sharing: shared), scan.types, place.database, from: scan.bound)
        var record = try records.next() ? records.int(RecordColumns.sequence) : nil
        var tombstone = try tombstones.next() ? tombstones.int(0) : nil
        while let sequence = scan.first(record, tombstone), sequence <= scan.through || scan.reverse {
            if sequence == record {
                guard try page.takeRecord(records, at: sequence, expecting: scan.limit) else { break }
                record = try records.next() ? records.int(RecordColumns.sequence) : nil
            } else {
                let row = TombstoneRow(
                    database: place.database, zone: zone, name: tombstones.name(1), sequence: sequence,
                    type: try tombstones.type(2), deletedAt: tombstones.int(3))
                guard page.take(.tombstone(row), row.type, row.name, at: sequence) else { break }
                tombstone = try tombstones.next() ? tombstones.int(0) : nil
            }
        }
        shared.end(page.limiter)
        return page.finish()
    }

    /// A page of a zone as somebody sees it who is in some of its shares.
    func page(
        _ scan: MemberFeedScan, in place: ZonePlace, _ shared: inout SharedPages
    ) throws(StorageError) -> MemberFeedPage {
        var walk = MemberFeedWalk(scan)
        while let read = walk.next() {
            switch read {
            case .share(let scan): walk.take(try page(scan, in: place, &shared))
            case .zone(let scan): walk.take(try page(scan, in: place, &shared))
            }
        }
        return walk.finish()
    }

    /// A page of shares: records and departures.
    func page(_ scan: ShareScan, in place: ZonePlace, _ shared: inout SharedPages) throws(StorageError) -> FeedPage {
        var page = FeedPage(changes: [], position: scan.through, more: false)
        guard let zone = place.number else { return page }
        // First only where they are. Of each share as many as the page may examine, and one more: those of all shares that come
        // first are among them.
        var steps: [ShareStep] = []
        let count = Int64(clamping: scan.examinedLimit) + 1
        for share in scan.shares {
            var records = try connection.start(
                Self.recordsOfShare, place.database, zone, share, scan.after, scan.through, count)
            while try records.next() { steps.append(.record(records.int(0), records.int(1))) }
            guard scan.departures else { continue }
            var departures = try connection.start(
                Self.departures, place.database, zone, share, scan.after, scan.through, count)
            while try departures.next() {
                guard !scan.shares.contains(departures.int(1)) else { continue }
                steps.append(
                    .departure(
                        DepartureRow(
                            database: place.database, zone: zone, sequence: departures.int(0), share: share,
                            toShare: departures.int(1), type: try departures.type(2), name: departures.name(3),
                            leftAt: departures.int(4))))
            }
        }
        if scan.shares.count > 1 || scan.departures { steps.sort { $0.sequence < $1.sequence } }

        var builder = FeedPageBuilder(PageLimiter(scan, sharing: shared), scan.types, place.database, from: scan.after)
        steps: for step in steps {
            switch step {
            case .record(let sequence, let number):
                var record = try connection.start(Self.record, place.database, number)
                guard try record.next() else { continue }
                guard try builder.takeRecord(record, at: sequence, expecting: scan.limit) else { break steps }
            case .departure(let row):
                guard builder.take(.departure(row), row.type, row.name, at: row.sequence) else { break steps }
            }
        }
        shared.end(builder.limiter)
        page = builder.finish()
        if !page.more { page.position = scan.through }
        return page
    }

    /// The index is named so that the planner can never choose a plan that sorts a whole zone.
    private static let records = """
        SELECT \(RecordColumns.list) FROM records INDEXED BY records_by_seq WHERE db = ? AND zone_no = ? AND seq
        """
    private static let recordsUp = Statement("\(records) > ? ORDER BY seq")
    private static let recordsDown = Statement("\(records) < ? ORDER BY seq DESC")
    private static let tombstones =
        "SELECT seq, name, type, deleted_at FROM tombstones WHERE db = ? AND zone_no = ? AND seq"
    private static let tombstonesUp = Statement("\(tombstones) > ? ORDER BY seq")
    private static let tombstonesDown = Statement("\(tombstones) > ? AND seq < ? ORDER BY seq DESC")
    private static let recordsOfShare = Statement(
        """
        SELECT seq, \(RowKey.number) FROM records INDEXED BY records_by_share
        WHERE db = ? AND zone_no = ? AND share_root = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
        """)
    private static let departures = Statement(
        """
        SELECT seq, to_share, type, name, left_at FROM departures
        WHERE db = ? AND zone_no = ? AND share_no = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
        """)
    private static let record = Statement("SELECT \(RecordColumns.list) FROM records WHERE \(RowKey.isBound)")
}

extension FeedScan {
    /// The one of two sequences that comes first in the feed.
    fileprivate func first(_ one: Sequence?, _ other: Sequence?) -> Sequence? {
        guard let one else { return other }
        guard let other else { return one }
        return reverse ? max(one, other) : min(one, other)
    }
}

/// Where a change of shares is.
private enum ShareStep {
    case record(Sequence, RecordNumber)
    case departure(DepartureRow)

    var sequence: Sequence {
        switch self {
        case .record(let sequence, _): sequence
        case .departure(let row): row.sequence
        }
    }
}

/// A page under construction: adds changes in order until it is full.
private struct FeedPageBuilder {
    private let types: Set<TypeNumber>?
    private let database: DatabaseNumber
    private var records = RecordPage()
    /// The changes that are not records, with their positions in the page. Few pages have any.
    private var others: [(position: Int, change: FeedChange)] = []
    private var position: Sequence
    private(set) var limiter: PageLimiter

    init(_ limiter: PageLimiter, _ types: Set<TypeNumber>?, _ database: DatabaseNumber, from position: Sequence) {
        self.limiter = limiter
        self.types = types
        self.database = database
        self.position = position
    }

    /// - Parameter limit: The number of changes that the page may have.
    /// - Returns: Whether the page continues after this change.
    mutating func takeRecord(
        _ cursor: borrowing Cursor, at sequence: Sequence, expecting limit: Int
    ) throws(StorageError) -> Bool {
        let size = Int(cursor.int(RecordColumns.size))
        switch limiter.admit(matches: matches(try cursor.type(RecordColumns.type)), bytes: size) {
        case .stop: return false
        case .skip: break
        case .take:
            if records.count == 0 {
                // Records of a page usually have the same size. The limit is low, since the first may be the only large one.
                let rows = min(limit, 256)
                records.reserve(rows: rows, bytes: min(size * rows, 256 << 10))
            }
            try records.add(cursor, database: database)
        }
        position = sequence
        return true
    }

    /// Adds what is not a record.
    mutating func take(_ change: FeedChange, _ type: TypeNumber, _ name: Name, at sequence: Sequence) -> Bool {
        switch limiter.admit(matches: matches(type), bytes: name.bytes.count) {
        case .stop: return false
        case .skip: break
        case .take: others.append((records.count + others.count, change))
        }
        position = sequence
        return true
    }

    private func matches(_ type: TypeNumber) -> Bool { types?.contains(type) ?? true }

    consuming func finish() -> FeedPage {
        var changes: [FeedChange] = []
        changes.reserveCapacity(records.count + others.count)
        var next = others[...]
        for index in 0..<records.count {
            while next.first?.position == changes.count, let other = next.popFirst() { changes.append(other.change) }
            changes.append(.record(records.row(index)))
        }
        for other in next { changes.append(other.change) }
        return FeedPage(changes: changes, position: position, more: limiter.more)
    }
}
