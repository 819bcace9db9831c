import CloudKitWire
import NephosStorage

/// Pages of records by name.
struct NameReader {
    let connection: Connection

    /// - Parameter zones: The zones to read, ascending.
    func page(_ scan: NameScan, zones: [ZoneNumber]) throws(StorageError) -> NamePage {
        let database = scan.place.database
        var page = NamePageBuilder(scan)
        for zone in zones where zone >= scan.after?.zone ?? .min {
            // No name is empty, so that all names are after the empty one.
            let after = zone == scan.after?.zone ? scan.after?.name ?? "" : ""
            var cursor = try connection.start(Self.fromName, database, zone, after)
            while try cursor.next() {
                guard try page.take(cursor, database: database) else { return page.finish() }
            }
        }
        return page.finish()
    }

    private static let fromName = Statement(
        """
        SELECT \(RecordColumns.list) FROM records INDEXED BY records_by_name
        WHERE db = ? AND zone_no = ? AND name > ? ORDER BY name
        """)
}

extension NameScan.Place {
    fileprivate var database: DatabaseNumber {
        switch self {
        case .zone(let key): key.database
        case .database(let database): database
        }
    }
}

/// A page under construction.
private struct NamePageBuilder {
    private let scan: NameScan
    private var records = RecordPage()
    private var limiter: PageLimiter
    /// The last row that was examined. The memory of its name is reused from row to row.
    private var lastZone: ZoneNumber = 0
    private var lastName: [UInt8] = []

    init(_ scan: NameScan) {
        self.scan = scan
        limiter = PageLimiter(scan)
    }

    /// - Returns: Whether the page continues after this record.
    mutating func take(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) -> Bool {
        switch limiter.admit(matches: try matches(cursor), bytes: Int(cursor.int(RecordColumns.size))) {
        case .stop: return false
        case .skip: break
        case .take: try records.add(cursor, database: database)
        }
        lastZone = cursor.int(RecordColumns.zone)
        lastName.removeAll(keepingCapacity: true)
        lastName.append(contentsOf: cursor.raw(RecordColumns.name))
        return true
    }

    private func matches(_ cursor: borrowing Cursor) throws(StorageError) -> Bool {
        if let type = scan.type, try cursor.type(RecordColumns.type) != type { return false }
        if let user = scan.createdBy, try cursor.user(RecordColumns.createdBy) != user { return false }
        return true
    }

    consuming func finish() -> NamePage {
        let next = limiter.more ? NameScan.Position(zone: lastZone, name: Name(bytes: lastName[...])) : nil
        return NamePage(records: records.finish(), next: next, examined: limiter.examined)
    }
}
