import CloudKitWire
import NephosStorage

/// Reads of the table `zones`.
struct ZoneReader {
    let tenant: TenantNumber

    static let columns = columns(of: "zones")
    /// How many there are; others may follow.
    static let columnCount = Int32(ZoneRow.columns.count)

    private static func columns(of alias: String) -> String {
        ZoneRow.columns.map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    /// Reads a row that begins with ``columns``.
    func read(_ row: Row) throws(StorageError) -> ZoneRow { try ZoneRow(row) }

    // MARK: By key

    /// Looks zones up: in each database one call for all names, one for all numbers.
    func zones(_ keys: [ZoneKey]) throws(StorageError) -> [Call] {
        var calls: [Call] = []
        for (database, keys) in keys.enumerated().groups(by: \.element.database) {
            let stored = try tenant.stored(database)
            var (names, numbers): ([(place: Int, name: Name)], [(place: Int, number: ZoneNumber)]) = ([], [])
            for (place, key) in keys {
                switch key {
                case .name(_, let name): names.append((place, name))
                case .number(_, let number): numbers.append((place, number))
                }
            }
            if !names.isEmpty {
                calls.append(call(Self.byName, stored, names.map(\.place)) { $0.add(names: names.map(\.name)) })
            }
            if !numbers.isEmpty {
                calls.append(
                    call(Self.byNumber, stored, numbers.map(\.place)) { $0.add(numbers: numbers.map(\.number)) })
            }
        }
        return calls
    }

    private func call(
        _ statement: Statement, _ stored: Int64, _ places: [Int], _ keys: (inout Values) -> Void
    ) -> Call {
        Call(statement) {
            $0.add(stored)
            $0.add(numbers: places.map(Int64.init))
            keys(&$0)
        }
    }

    /// - Parameter answers: Those of ``zones(_:)``.
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
        let stored = try tenant.stored(database)
        return Call(Self.live) { $0.add(stored) }
    }

    /// The numbers of the live zones that a query extends over, ascending. Not of zones that are dead: the entries of
    /// their records go before the records.
    func liveNumbers(in extent: QueryScan.Extent) throws(StorageError) -> Call {
        let stored = try tenant.stored(extent.database)
        switch extent {
        case .database: return Call(Self.liveNumbers) { $0.add(stored) }
        case .zone(.name(_, let name)):
            return Call(Self.liveNumberOfName) {
                $0.add(stored)
                $0.add(name)
            }
        case .zone(.number(_, let number)):
            return Call(Self.liveNumberOfNumber) {
                $0.add(stored)
                $0.add(number)
            }
        }
    }

    private static let live = Statement("SELECT \(columns) FROM zones WHERE db = $1 AND state = 0 ORDER BY name")
    private static let liveNumbers = Statement(
        "SELECT zone_no FROM zones WHERE db = $1 AND state = 0 ORDER BY zone_no")
    private static let liveNumberOfName = Statement(ZonePlace.liveNumber("$1", "$2"))
    private static let liveNumberOfNumber = Statement(
        "SELECT zone_no FROM zones WHERE db = $1 AND zone_no = $2 AND state = 0")

    // MARK: The database's feed

    /// A page of the database's feed. Of zones that the page leaves out only the last of all is answered.
    func page(_ scan: ZoneFeedScan) throws(StorageError) -> Call {
        let stored = try tenant.stored(scan.database)
        return Call(Self.changed) {
            $0.add(stored)
            $0.add(scan.after)
            $0.add(defaultZoneName)
            $0.add(scan.deletedAfter)
            $0.add(scan.limit.oneMore)
        }
    }

    func read(_ rows: Rows, _ scan: ZoneFeedScan) throws(StorageError) -> ZoneFeedPage {
        var page = ZoneFeedPage(zones: [], position: scan.after, more: false)
        for index in 0..<rows.count {
            let zone = try read(rows[index])
            let isUnknown = zone.state != .live && zone.changedSequence <= scan.deletedAfter
            if !zone.isDefault && !isUnknown {
                if page.zones.count == scan.limit {
                    page.more = true
                    page.position = rows[index].optionalInt(Self.columnCount) ?? scan.after
                    return page
                }
                page.zones.append(zone)
            }
            page.position = zone.changedSequence
        }
        return page
    }

    /// Each row with the sequence of the one before it.
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
    /// A limit and one row more, which tells that there is more.
    var oneMore: Int64 { self == .max ? Int64.max : Int64(self) + 1 }
}
