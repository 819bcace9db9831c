import CloudKitWire
import NephosQueries
import NephosStorage

/// Pages of records by name: reads names without fields, then the records of the page.
struct NameReader {
    let tenant: TenantNumber

    /// Reads the first rows.
    func first(_ scan: NameScan) throws(StorageError) -> Call { try NameWalk(scan, tenant).first() }

    /// - Parameter rows: The result of ``first(_:)``.
    func page(_ rows: Rows, _ scan: NameScan, _ transaction: Transaction) throws(StorageError) -> NamePage {
        var walk = NameWalk(scan, tenant)
        return try walk.page(rows, transaction)
    }
}

private struct NameWalk {
    private let scan: NameScan
    private let tenant: TenantNumber
    private var rows: WalkRows
    private var limiter: PageLimiter
    private var taken: [RecordNumber] = []
    /// The last row that was examined.
    private var position: NameScan.Position?

    init(_ scan: NameScan, _ tenant: TenantNumber) {
        self.scan = scan
        self.tenant = tenant
        let isFiltered = scan.type != nil || scan.createdBy != nil
        rows = WalkRows(examinedLimit: scan.examinedLimit, want: isFiltered ? 1_000 : scan.limit)
        limiter = PageLimiter(scan)
        position = scan.after
    }

    func first() throws(StorageError) -> Call { try call() }

    mutating func page(_ first: Rows, _ transaction: Transaction) throws(StorageError) -> NamePage {
        var batch: Rows? = first
        while let rows = batch {
            let isOver = try !take(rows) || rows.count < self.rows.limit
            self.rows.grow(examined: limiter.examined)
            batch = isOver ? nil : try transaction.run([call()]).first
        }
        let records = try RecordReader(tenant: tenant).records(
            taken, in: scan.place.database, byteLimit: .max, transaction
        ).records
        return NamePage(records: records, next: limiter.more ? position ?? .start : nil, examined: limiter.examined)
    }

    /// - Returns: Whether the page continues after these rows.
    private mutating func take(_ rows: Rows) throws(StorageError) -> Bool {
        var looked = 0
        defer {
            if looked > 0 {
                let row = rows[looked - 1]
                position = NameScan.Position(zone: row.int(Self.zone), name: row.name(Self.name))
            }
        }
        while looked < rows.count {
            let row = rows[looked]
            switch limiter.admit(matches: try matches(row), bytes: Int(row.int(Self.size))) {
            case .stop: return false
            case .skip: break
            case .take: taken.append(row.int(Self.number))
            }
            looked += 1
        }
        return true
    }

    private func matches(_ row: Row) throws(StorageError) -> Bool {
        if let type = scan.type, try row.type(Self.type) != type { return false }
        if let user = scan.createdBy, try row.user(Self.createdBy) != user { return false }
        return true
    }

    // MARK: Statements

    private func call() throws(StorageError) -> Call {
        let after = position ?? .start
        let limit = Int64(rows.limit)
        return switch scan.place {
        case .zone(let key): Call(Self.ofZone, try key.place(tenant), after.zone, after.name, limit)
        case .database(let database):
            Call(Self.ofDatabase, try tenant.stored(database), after.zone, after.name, limit)
        }
    }

    private static let (number, zone, name): (Int32, Int32, Int32) = (0, 1, 2)
    private static let (type, createdBy, size): (Int32, Int32, Int32) = (3, 4, 5)
    private static let columns = "r.record_no, r.zone_no, r.name, r.type, r.created_by, r.size"

    private static let ofZone = Statement(
        """
        WITH zone (number) AS MATERIALIZED (SELECT \(ZonePlace.number))
        SELECT \(columns) FROM records AS r WHERE r.db = $1 AND r.zone_no = (SELECT number FROM zone)
            AND r.name > (SELECT CASE WHEN number = $4 THEN $5 WHEN number > $4 THEN ''::bytea END FROM zone)
        ORDER BY r.name LIMIT $6
        """)

    /// Zone by zone. The rows of a zone are in the order of the subquery.
    private static let ofDatabase = Statement(
        """
        SELECT r.* FROM (
            SELECT zone_no FROM zones WHERE db = $1 AND state = 0 AND zone_no >= $2 ORDER BY zone_no
        ) AS zone
        CROSS JOIN LATERAL (
            SELECT \(columns) FROM records AS r
            WHERE r.db = $1 AND r.zone_no = zone.zone_no
                AND r.name > CASE WHEN zone.zone_no = $2 THEN $3 ELSE ''::bytea END
            ORDER BY r.name LIMIT $4
        ) AS r
        ORDER BY zone.zone_no LIMIT $4
        """)
}

extension NameScan.Position {
    /// Before all records: no name is empty.
    fileprivate static let start = NameScan.Position(zone: 0, name: "")
}

extension NameScan.Place {
    fileprivate var database: DatabaseNumber {
        switch self {
        case .zone(let key): key.database
        case .database(let database): database
        }
    }
}
