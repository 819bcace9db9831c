import CloudKitWire
import NephosQueries
import NephosStorage

/// The feeds of a read set. A single feed with all types is read immediately; if there are several feeds, which share one
/// budget, or some types are excluded, they are read without their fields first, followed by all records of the pages.
struct FeedPages {
    private let scans: [FeedScan]
    private let budget: FeedBudget
    private let tenant: TenantNumber
    let calls: [Call]
    let mayAskMore: Bool

    init(_ set: ReadSet, _ tenant: TenantNumber) throws(StorageError) {
        (scans, budget, self.tenant) = (set.feeds, set.feedBudget, tenant)
        mayAskMore = scans.count > 1 || scans.contains { $0.types != nil }
        var calls: [Call] = []
        for scan in scans {
            calls.append(
                mayAskMore
                    ? try FeedWalk(scan, tenant, rows: budget.rows / scans.count).first()
                    : try FeedReader(tenant: tenant).page(scan))
        }
        self.calls = calls
    }

    /// - Parameter answers: The results of ``calls``.
    func read(
        _ answers: ArraySlice<Rows>, _ transaction: Transaction, into reading: inout Reading
    ) throws(StorageError) {
        var shared = SharedPages(budget)
        if mayAskMore {
            var walks: [FeedWalk] = []
            for (scan, rows) in zip(scans, answers) {
                var walk = FeedWalk(scan, tenant, rows: budget.rows / scans.count)
                try walk.go(rows, transaction, &shared)
                walks.append(walk)
            }
            let reader = RecordReader(tenant: tenant)
            var records: [DatabaseNumber: ArraySlice<RecordRow>] = [:]
            for (database, walks) in walks.groups(by: \.database) {
                let numbers = walks.flatMap(\.numbers)
                records[database] = try reader.records(numbers, in: database, byteLimit: .max, transaction).records[...]
            }
            for walk in walks { reading.feeds.append(walk.page(&records[walk.database, default: []])) }
        } else if let scan = scans.first, let rows = answers.first {
            reading.feeds.append(try FeedReader(tenant: tenant).page(rows, scan, &shared))
        }
        (reading.feedWork, reading.feedsEndedEarly) = (shared.work, shared.areCutShort)
    }
}

/// The feeds of a read set for those who are in some shares of zones.
struct MemberFeedPages {
    private let scans: [MemberFeedScan]
    private let budget: FeedBudget
    private let tenant: TenantNumber
    /// What each feed reads first. What it reads then depends on the results.
    let calls: [Call]

    init(_ set: ReadSet, _ tenant: TenantNumber) throws(StorageError) {
        (scans, budget, self.tenant) = (set.memberFeeds, set.feedBudget, tenant)
        var calls: [Call] = []
        for scan in scans {
            var walk = MemberFeedWalk(scan)
            if let first = walk.next() { calls.append(try Self.call(first, tenant, budget)) }
        }
        self.calls = calls
    }

    private static func call(
        _ read: MemberFeedWalk.Read, _ tenant: TenantNumber, _ budget: FeedBudget
    ) throws(StorageError) -> Call {
        switch read {
        case .share(let scan): try FeedReader(tenant: tenant).page(scan)
        case .zone(let scan) where scan.types == nil: try FeedReader(tenant: tenant).page(scan)
        case .zone(let scan): try FeedWalk(scan, tenant, rows: budget.rows).first()
        }
    }

    /// - Parameter answers: The results of ``calls``.
    func read(
        _ answers: ArraySlice<Rows>, _ transaction: Transaction, into reading: inout Reading
    ) throws(StorageError) {
        var (answers, shared) = (answers, SharedPages(budget))
        for scan in scans {
            var walk = MemberFeedWalk(scan)
            var first = walk.next()
            var next = first
            while let read = next {
                let rows =
                    first == nil ? try transaction.run([Self.call(read, tenant, budget)]).first : answers.popFirst()
                first = nil
                guard let rows else { throw .failed("a feed lacks its rows") }
                walk.take(try page(read, rows, transaction, &shared))
                next = walk.next()
            }
            reading.memberFeeds.append(walk.finish())
        }
        (reading.feedWork, reading.feedsEndedEarly) = (shared.work, shared.areCutShort)
    }

    private func page(
        _ read: MemberFeedWalk.Read, _ rows: Rows, _ transaction: Transaction, _ shared: inout SharedPages
    ) throws(StorageError) -> FeedPage {
        switch read {
        case .share(let scan): return try FeedReader(tenant: tenant).page(rows, scan, &shared)
        case .zone(let scan) where scan.types == nil:
            return try FeedReader(tenant: tenant).page(rows, scan, &shared)
        case .zone(let scan):
            var walk = FeedWalk(scan, tenant, rows: budget.rows)
            try walk.go(rows, transaction, &shared)
            var records = try RecordReader(tenant: tenant).records(
                walk.numbers, in: scan.zone.database, byteLimit: .max, transaction
            ).records[...]
            return walk.page(&records)
        }
    }
}

/// Pages of feeds: changes of different kinds, merged by sequence.
struct FeedReader {
    let tenant: TenantNumber

    /// - Parameter rows: The result of ``page(_:)``.
    func page(
        _ rows: Rows, _ scan: FeedScan, _ shared: inout SharedPages
    ) throws(StorageError) -> FeedPage {
        let records = RecordPage(rows, tenant)
        var page = FeedPage(changes: [], position: scan.bound, more: false)
        page.changes.reserveCapacity(rows.count)
        var limiter = PageLimiter(scan, sharing: shared)
        for index in 0..<rows.count {
            let row = rows[index]
            guard row.int(RecordColumns.sequence) <= scan.through || scan.reverse,
                limiter.admit(matches: true, bytes: Int(row.int(RecordColumns.size))) == .take
            else { break }
            if row.isNull(RecordColumns.number) {
                page.changes.append(.tombstone(try tombstone(row, records.name(index))))
            } else if row.isNull(RecordColumns.fields) {
                throw .failed("a page of the feed lacks the fields of a record")
            } else {
                page.changes.append(.record(try records.record(index)))
            }
            page.position = row.int(RecordColumns.sequence)
        }
        page.more = limiter.more
        shared.end(limiter)
        return page
    }

    private func tombstone(_ row: Row, _ name: Name) throws(StorageError) -> TombstoneRow {
        TombstoneRow(
            database: tenant.database(row.int(0)), zone: row.int(RecordColumns.zone), name: name,
            sequence: row.int(RecordColumns.sequence), type: try row.type(RecordColumns.type),
            deletedAt: row.int(RecordColumns.createdAt))
    }

    /// The changes of a page, as many as fit in it, and one more.
    fileprivate func page(_ scan: FeedScan) throws(StorageError) -> Call {
        Call(
            scan.reverse ? Self.backwards : Self.forwards,
            FeedParameters(place: try scan.zone.place(tenant), scan, from: scan.bound, limit: scan.limit.oneMore),
            Int64(scan.byteLimit))
    }

    // MARK: Shares

    /// The changes of a page, as many as it may examine, and one more.
    func page(_ scan: ShareScan) throws(StorageError) -> Call {
        Call(
            Self.ofShares, try scan.zone.place(tenant), scan.shares, scan.after, scan.through,
            scan.examinedLimit.oneMore, Int64(scan.byteLimit), scan.departures ? scan.shares : [],
            scan.types.map { types in types.map { Int64($0) }.sorted() })
    }

    /// - Parameters:
    ///   - rows: The result of ``page(_:)-(ShareScan)``.
    ///   - shared: The budget that the page shares with earlier ones.
    func page(_ rows: Rows, _ scan: ShareScan, _ shared: inout SharedPages) throws(StorageError) -> FeedPage {
        let records = RecordPage(rows, tenant)
        var page = FeedPage(changes: [], position: scan.after, more: false)
        var limiter = PageLimiter(scan, sharing: shared)
        rows: for index in 0..<rows.count {
            let row = rows[index]
            let matches = try scan.types?.contains(row.type(RecordColumns.type)) ?? true
            switch limiter.admit(matches: matches, bytes: Int(row.int(RecordColumns.size))) {
            case .stop: break rows
            case .skip: break
            case .take where row.isNull(RecordColumns.number):
                page.changes.append(.departure(try departure(row, records.name(index))))
            case .take where row.isNull(RecordColumns.fields):
                throw .failed("a page of shares lacks the fields of a record")
            case .take: page.changes.append(.record(try records.record(index)))
            }
            page.position = row.int(RecordColumns.sequence)
        }
        page.more = limiter.more
        if !page.more { page.position = scan.through }
        shared.end(limiter)
        return page
    }

    private func departure(_ row: Row, _ name: Name) throws(StorageError) -> DepartureRow {
        DepartureRow(
            database: tenant.database(row.int(0)), zone: row.int(RecordColumns.zone),
            sequence: row.int(RecordColumns.sequence), share: row.int(RecordColumns.share),
            toShare: row.int(RecordColumns.tagSequence), type: try row.type(RecordColumns.type), name: name,
            leftAt: row.int(RecordColumns.createdAt))
    }

    /// A departure in the columns of a record: without a number, with the share that it entered as the tag, and with its time as the
    /// time of the creation.
    private static let departureColumns = """
        db, NULL, zone_no, name, seq, to_share, type, left_at, NULL, NULL, NULL, NULL, share_no, NULL, NULL, NULL, \
        octet_length(name)::bigint, NULL
        """

    /// Of each share, the first changes are read from an index. Only those that fit in the page by their bytes include their fields.
    private static let ofShares = Statement(
        """
        SELECT \(RecordColumns.list(of: "c", fields: "CASE WHEN (total <= $8 OR total = size) AND matches THEN fields END"))
        FROM (
            SELECT change.*, (sum(CASE WHEN matches THEN size ELSE 0 END) OVER (ORDER BY seq))::bigint AS total FROM (
                SELECT change.*, $10::bigint[] IS NULL OR change.type = ANY($10::bigint[]) AS matches FROM (
                    SELECT r.* FROM unnest($4::bigint[]) AS share (number) CROSS JOIN LATERAL (
                        SELECT \(RecordColumns.list) FROM records
                        WHERE db = $1 AND zone_no = \(ZonePlace.number) AND share_root = share.number
                            AND seq > $5 AND seq <= $6
                        ORDER BY seq LIMIT $7
                    ) AS r
                    UNION ALL
                    SELECT \(departureColumns) FROM unnest($9::bigint[]) AS share (number) CROSS JOIN LATERAL (
                        SELECT * FROM departures
                        WHERE db = $1 AND zone_no = \(ZonePlace.number) AND share_no = share.number
                            AND seq > $5 AND seq <= $6 AND to_share <> ALL($4::bigint[])
                        ORDER BY seq LIMIT $7
                    ) AS d
                    ORDER BY seq LIMIT $7
                ) AS change
            ) AS change
        ) AS c ORDER BY seq
        """)

    // MARK: Zones

    private static let forwards = Statement(page(reverse: false))
    private static let backwards = Statement(page(reverse: true))

    /// Only changes that fit in the page by their bytes include their fields.
    private static func page(reverse: Bool) -> String {
        let order = reverse ? "seq DESC" : "seq"
        return """
            SELECT \(RecordColumns.list(of: "c", fields: "CASE WHEN total <= $7 OR total = size THEN fields END"))
            FROM (
                SELECT change.*, (sum(size) OVER (ORDER BY \(order)))::bigint AS total
                FROM (\(changes(RecordColumns.list, tombstoneColumns, reverse: reverse))) AS change
            ) AS c ORDER BY \(order)
            """
    }

    /// A tombstone in the columns of a record: without a number, and with the time of the deletion as the time of the creation.
    private static let tombstoneColumns = """
        db, NULL, zone_no, name, seq, NULL, type, deleted_at, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
        octet_length(name)::bigint, NULL
        """

    /// SQL for the first changes of a feed (``FeedParameters``).
    fileprivate static func changes(_ records: String, _ tombstones: String, reverse: Bool) -> String {
        let order = reverse ? "seq DESC" : "seq"
        let zone = "WHERE db = $1 AND zone_no = \(ZonePlace.number)"
        return """
            (SELECT \(records) FROM records \(zone) AND seq \(reverse ? "<" : ">") $4 ORDER BY \(order) LIMIT $6)
            UNION ALL
            (SELECT \(tombstones) FROM tombstones \(zone) AND seq > $5 \(reverse ? "AND seq < $4" : "")
                ORDER BY \(order) LIMIT $6)
            ORDER BY \(order) LIMIT $6
            """
    }
}

/// `$1` to `$6` of a statement over a feed.
private struct FeedParameters: Parameter {
    let place: ZoneParameters
    let bound, tombstonesAfter: Sequence
    let limit: Int64

    init(place: ZoneParameters, _ scan: FeedScan, from bound: Sequence, limit: Int64) {
        self.place = place
        self.bound = bound
        tombstonesAfter = scan.reverse ? scan.tombstonesAfter : max(bound, scan.tombstonesAfter)
        self.limit = limit
    }

    func add(to values: inout Values) {
        place.add(to: &values)
        for number in [bound, tombstonesAfter, limit] { values.add(number) }
    }
}

/// Reads the changes of a feed without their fields, up to the end of a page.
private struct FeedWalk {
    private enum Step {
        case record(RecordNumber, Sequence)
        case tombstone(TombstoneRow)
    }

    private let scan: FeedScan
    private let tenant: TenantNumber
    private var rows: WalkRows
    private var limiter = PageLimiter(limit: 0, byteLimit: 0)
    private var taken: [Step] = []
    private var position: Sequence

    /// - Parameter share: Maximum number of rows to begin with.
    init(_ scan: FeedScan, _ tenant: TenantNumber, rows share: Int) {
        self.scan = scan
        self.tenant = tenant
        let takesAll = scan.types == nil
        rows = WalkRows(
            examinedLimit: takesAll ? .max - 1 : scan.examinedLimit,
            want: min(takesAll ? scan.limit : 1_000, max(1, share)))
        position = scan.bound
    }

    /// Reads the first rows.
    func first() throws(StorageError) -> Call { try call() }

    /// - Parameters:
    ///   - first: The result of ``first()``.
    ///   - shared: The budget that the page shares with earlier ones.
    mutating func go(
        _ first: Rows, _ transaction: Transaction, _ shared: inout SharedPages
    ) throws(StorageError) {
        limiter = PageLimiter(scan, sharing: shared)
        var batch: Rows? = first
        while let rows = batch {
            let isOver = try !take(rows) || rows.count < self.rows.limit
            self.rows.grow(examined: limiter.examined)
            batch = isOver ? nil : try transaction.run([call()]).first
        }
        shared.end(limiter)
    }

    var database: DatabaseNumber { scan.zone.database }

    /// The records of the page, in order.
    var numbers: [RecordNumber] { taken.compactMap { if case .record(let number, _) = $0 { number } else { nil } } }

    /// - Parameter records: Begins with the records of ``numbers`` that exist; they are removed from it.
    func page(_ records: inout ArraySlice<RecordRow>) -> FeedPage {
        var changes: [FeedChange] = []
        changes.reserveCapacity(taken.count)
        for step in taken {
            switch step {
            case .tombstone(let row): changes.append(.tombstone(row))
            case .record(let number, let sequence):
                guard records.first?.number == number, let record = records.popFirst() else { continue }
                // If the database is not locked, the record may have moved in the feed since this read.
                if record.sequence == sequence { changes.append(.record(record)) }
            }
        }
        return FeedPage(changes: changes, position: position, more: limiter.more)
    }

    /// - Returns: Whether the page continues after these rows.
    private mutating func take(_ rows: Rows) throws(StorageError) -> Bool {
        for index in 0..<rows.count {
            let row = rows[index]
            let type = try row.type(Self.type)
            let sequence = row.int(Self.sequence)
            guard sequence <= scan.through || scan.reverse else { return false }
            let matches = scan.types?.contains(type) ?? true
            switch limiter.admit(matches: matches, bytes: Int(row.int(Self.size))) {
            case .stop: return false
            case .skip: break
            case .take where !row.isNull(Self.number): taken.append(.record(row.int(Self.number), sequence))
            case .take:
                taken.append(
                    .tombstone(
                        TombstoneRow(
                            database: scan.zone.database, zone: row.int(Self.zone), name: row.name(Self.name),
                            sequence: sequence, type: type, deletedAt: row.int(Self.deletedAt))))
            }
            position = sequence
        }
        return true
    }

    private func call() throws(StorageError) -> Call {
        Call(
            scan.reverse ? Self.backwards : Self.forwards,
            FeedParameters(place: try scan.zone.place(tenant), scan, from: position, limit: Int64(rows.limit)))
    }

    private static let (number, zone, sequence, type): (Int32, Int32, Int32, Int32) = (0, 1, 2, 3)
    private static let (size, name, deletedAt): (Int32, Int32, Int32) = (4, 5, 6)
    private static let recordColumns = "record_no, zone_no, seq, type, size, NULL::bytea, NULL::bigint"
    private static let tombstoneColumns = "NULL, zone_no, seq, type, octet_length(name)::bigint, name, deleted_at"
    private static let forwards = Statement(
        FeedReader.changes(recordColumns, tombstoneColumns, reverse: false))
    private static let backwards = Statement(
        FeedReader.changes(recordColumns, tombstoneColumns, reverse: true))
}
