import CloudKitWire
import NephosStorage

/// Reads of the table `zones`.
struct ZoneReader {
    let tenant: TenantNumber

    static let columns = columns(of: "zones")
    /// The number of columns; others may follow.
    static let columnCount = Int32(ZoneRow.columns.count)

    private static func columns(of alias: String) -> String {
        ZoneRow.columns.map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    /// Reads a row that begins with ``columns``.
    func read(_ row: Row) throws(StorageError) -> ZoneRow { try ZoneRow(row) }

    // MARK: By key

    /// Looks up zones: in each database one call for all names, and one for all numbers.
    func zones(_ keys: [ZoneKey]) throws(StorageError) -> [Call] {
        var calls: [Call] = []
        for (database, keys) in keys.enumerated().groups(by: \.element.database) {
            let stored = try tenant.stored(database)
            var (names, numbers): ([(place: Int64, name: Name)], [(place: Int64, number: ZoneNumber)]) = ([], [])
            for (place, key) in keys {
                switch key {
                case .name(_, let name): names.append((Int64(place), name))
                case .number(_, let number): numbers.append((Int64(place), number))
                }
            }
            if !names.isEmpty {
                calls.append(Call(Self.byName, stored, names.map(\.place), names.map(\.name)))
            }
            if !numbers.isEmpty {
                calls.append(Call(Self.byNumber, stored, numbers.map(\.place), numbers.map(\.number)))
            }
        }
        return calls
    }

    /// - Parameter answers: The results of ``zones(_:)``.
    func read(_ answers: ArraySlice<Rows>, keys: [ZoneKey]) throws(StorageError) -> [ZoneRow?] {
        var zones = [ZoneRow?](repeating: nil, count: keys.count)
        for rows in answers {
            try rows.forEach { row throws(StorageError) in zones[Int(row.int(0))] = try ZoneRow(row, from: 1) }
        }
        return zones
    }

    private static let byName = Statement(
        """
        SELECT key.place, \(columns(of: "z"))
        FROM unnest($2::bigint[], $3::bytea[]) AS key (place, name)
        CROSS JOIN LATERAL (
            SELECT * FROM zones WHERE db = $1 AND name = key.name AND state = 0 LIMIT 1
        ) AS z
        """)
    private static let byNumber = Statement(
        """
        SELECT key.place, \(columns(of: "z"))
        FROM unnest($2::bigint[], $3::bigint[]) AS key (place, number)
        CROSS JOIN LATERAL (SELECT * FROM zones WHERE db = $1 AND zone_no = key.number LIMIT 1) AS z
        """)

    // MARK: All of a database

    /// All live zones, by name.
    func live(_ database: DatabaseNumber) throws(StorageError) -> Call {
        Call(Self.live, try tenant.stored(database))
    }

    /// The numbers of the live zones that a query covers, ascending. Not dead zones: the index entries of their records are
    /// removed before the records.
    func liveNumbers(in extent: QueryScan.Extent) throws(StorageError) -> Call {
        let stored = try tenant.stored(extent.database)
        return switch extent {
        case .database: Call(Self.liveNumbers, stored)
        case .zone(.name(_, let name)): Call(Self.liveNumberOfName, stored, name)
        case .zone(.number(_, let number)): Call(Self.liveNumberOfNumber, stored, number)
        }
    }

    private static let live = Statement("SELECT \(columns) FROM zones WHERE db = $1 AND state = 0 ORDER BY name")
    private static let liveNumbers = Statement(
        "SELECT zone_no FROM zones WHERE db = $1 AND state = 0 ORDER BY zone_no")
    private static let liveNumberOfName = Statement(ZonePlace.liveNumber("$1", "$2"))
    private static let liveNumberOfNumber = Statement(
        "SELECT zone_no FROM zones WHERE db = $1 AND zone_no = $2 AND state = 0")

    // MARK: The database's feed

    /// A page of the database's feed. Of the zones that are not included, only the very last one is returned.
    func page(_ scan: ZoneFeedScan) throws(StorageError) -> Call {
        Call(
            Self.changed, try tenant.stored(scan.database), scan.after, defaultZoneName, scan.deletedAfter,
            scan.limit.oneMore)
    }

    func read(_ rows: Rows, _ scan: ZoneFeedScan) throws(StorageError) -> ZoneFeedPage {
        var page = ZoneFeedPage(zones: [], position: scan.after, more: false)
        for index in 0..<rows.count where !page.more {
            if try !page.take(read(rows[index]), scan) {
                page.position = rows[index].optionalInt(Self.columnCount) ?? scan.after
            }
        }
        return page
    }

    /// Each row includes the sequence of the previous row.
    private static let changed = Statement(
        """
        SELECT \(columns(of: "z")), z.previous FROM (
            SELECT \(columns), lag(changed_seq) OVER by_change AS previous,
                lead(changed_seq) OVER by_change IS NULL AS is_last
            FROM zones WHERE db = $1 AND changed_seq > $2 WINDOW by_change AS (ORDER BY changed_seq)
        ) AS z
        WHERE z.is_last OR z.name <> $3 AND (z.state = 0 OR z.changed_seq > $4) ORDER BY z.changed_seq LIMIT $5
        """)
}

extension Int {
    /// The limit plus one row, which shows whether there are more.
    var oneMore: Int64 { self == .max ? Int64.max : Int64(self) + 1 }
}
