import CloudKitWire
import NephosStorage

/// Pages of a zone's feed: records and tombstones, merged by sequence.
struct FeedReader {
    let connection: Connection

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

        var page = FeedPageBuilder(scan, database: place.database, zone: zone, shared)
        var record = try records.next() ? records.int(RecordColumns.sequence) : nil
        var tombstone = try tombstones.next() ? tombstones.int(0) : nil
        while let sequence = scan.first(record, tombstone) {
            if sequence == record {
                guard try page.takeRecord(records, at: sequence) else { break }
                record = try records.next() ? records.int(RecordColumns.sequence) : nil
            } else {
                guard try page.takeTombstone(tombstones, at: sequence) else { break }
                tombstone = try tombstones.next() ? tombstones.int(0) : nil
            }
        }
        shared.end(page.limiter)
        return page.finish()
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
}

extension FeedScan {
    /// The one of two sequences that comes first in the feed.
    fileprivate func first(_ one: Sequence?, _ other: Sequence?) -> Sequence? {
        guard let one else { return other }
        guard let other else { return one }
        return reverse ? max(one, other) : min(one, other)
    }
}

/// A page under construction: adds changes in order until it is full.
private struct FeedPageBuilder {
    private let scan: FeedScan
    private let database: DatabaseNumber
    private let zone: ZoneNumber
    private var records = RecordPage()
    /// The page in order; nil stands for the next one of `records`.
    private var order: [TombstoneRow?] = []
    private var position: Sequence
    private(set) var limiter: PageLimiter

    init(_ scan: FeedScan, database: DatabaseNumber, zone: ZoneNumber, _ shared: SharedPages) {
        self.scan = scan
        limiter = PageLimiter(scan, sharing: shared)
        self.database = database
        self.zone = zone
        position = scan.bound
    }

    /// - Returns: Whether the page continues after this change.
    mutating func takeRecord(_ cursor: borrowing Cursor, at sequence: Sequence) throws(StorageError) -> Bool {
        let size = Int(cursor.int(RecordColumns.size))
        switch limiter.admit(matches: matches(try cursor.type(RecordColumns.type)), bytes: size) {
        case .stop: return false
        case .skip: break
        case .take:
            if records.count == 0 {
                // Records of a page usually have the same size. The limit is low, since the first may be the only large one.
                let rows = min(scan.limit, 256)
                records.reserve(rows: rows, bytes: min(size * rows, 256 << 10))
            }
            try records.add(cursor, database: database)
            order.append(nil)
        }
        position = sequence
        return true
    }

    mutating func takeTombstone(_ cursor: borrowing Cursor, at sequence: Sequence) throws(StorageError) -> Bool {
        let type = try cursor.type(2)
        switch limiter.admit(matches: matches(type), bytes: cursor.raw(1).count) {
        case .stop: return false
        case .skip: break
        case .take:
            order.append(
                TombstoneRow(
                    database: database, zone: zone, name: cursor.name(1), sequence: sequence, type: type,
                    deletedAt: cursor.int(3)))
        }
        position = sequence
        return true
    }

    private func matches(_ type: TypeNumber) -> Bool { scan.types?.contains(type) ?? true }

    consuming func finish() -> FeedPage {
        var next = 0
        let changes = order.map { tombstone -> FeedChange in
            if let tombstone { return .tombstone(tombstone) }
            defer { next += 1 }
            return .record(records.row(next))
        }
        return FeedPage(changes: changes, position: position, more: limiter.more)
    }
}
