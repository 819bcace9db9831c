import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `records`.
struct RecordReader {
    let tenant: TenantNumber

    // MARK: By number

    /// Records in the order of `numbers`, without those that do not exist, as long as they fit in `byteLimit`.
    func records(
        _ numbers: [RecordNumber], in database: DatabaseNumber, byteLimit: Int, _ transaction: Transaction
    ) throws(StorageError) -> FetchedRecords {
        guard !numbers.isEmpty else { return FetchedRecords([], asked: 0) }
        let rows = try transaction.run(
            Self.byNumber, try tenant.stored(database), numbers, Int64(byteLimit))
        return try fetched(rows, numbers) { $0.int(RecordColumns.number) }
    }

    /// The records of rows up to the first one without fields, which did not fit.
    ///
    /// - Parameters:
    ///   - keys: The requested keys.
    ///   - key: The key of a row.
    func fetched<Key: Equatable>(
        _ rows: Rows, _ keys: [Key], _ key: (Row) -> Key
    ) throws(StorageError) -> FetchedRecords {
        let page = RecordPage(rows, tenant)
        var records: [RecordRow] = []
        records.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            guard !rows[index].isNull(RecordColumns.fields) else {
                let key = key(rows[index])
                return FetchedRecords(records, asked: keys.firstIndex(of: key) ?? 0)
            }
            records.append(try page.record(index))
        }
        return FetchedRecords(records, asked: keys.count)
    }

    /// `LIMIT` prevents the planner from reading all of a person's records and comparing each with the keys: a look-up goes
    /// from key to key. The same applies to other statements that begin with a list of keys.
    private static let byNumber = Statement(
        """
        SELECT \(RecordColumns.list(of: "r", fields: "CASE WHEN total <= $3 THEN fields END")) FROM (
            SELECT r.*, key.place, (sum(r.size) OVER (ORDER BY key.place))::bigint AS total
            FROM unnest($2::bigint[]) WITH ORDINALITY AS key (number, place)
            CROSS JOIN LATERAL (SELECT * FROM records WHERE db = $1 AND record_no = key.number LIMIT 1) AS r
        ) AS r ORDER BY r.place
        """)

    // MARK: In zones

    /// Records of a zone in the order of `names`, without those that do not exist: read by ``fetched(_:_:_:)``.
    func named(
        _ names: [Name], in zone: ZoneNumber, of database: DatabaseNumber, byteLimit: Int
    ) throws(StorageError) -> Call {
        Call(Self.named, try tenant.stored(database), zone, names, Int64(byteLimit))
    }

    /// All records of a type in some zones, in any order: only if they are few.
    func ofType(
        _ type: TypeNumber, in zones: [ZoneNumber], of database: DatabaseNumber
    ) throws(StorageError) -> Call {
        Call(Self.ofType, try tenant.stored(database), zones, type)
    }

    private static let named = Statement(
        """
        SELECT \(RecordColumns.list(of: "r", fields: "CASE WHEN total <= $4 THEN fields END")) FROM (
            SELECT r.*, key.place, (sum(r.size) OVER (ORDER BY key.place))::bigint AS total
            FROM unnest($3::bytea[]) WITH ORDINALITY AS key (name, place)
            CROSS JOIN LATERAL (
                SELECT * FROM records WHERE db = $1 AND zone_no = $2 AND name = key.name LIMIT 1
            ) AS r
        ) AS r ORDER BY r.place
        """)
    private static let ofType = Statement(
        "SELECT \(RecordColumns.list) FROM records WHERE db = $1 AND zone_no = ANY($2::bigint[]) AND type = $3")

    // MARK: By key

    /// Looks up records, one call for each database: a row for each of its keys, in their order. Only rows that fit in
    /// `byteLimit`, for each result, include their fields.
    ///
    /// - Parameter within: ``ReadSet/within``.
    func records(
        _ keys: [RecordKey], byteLimit: Int, within: [ZoneKey: [ShareNumber]]
    ) throws(StorageError) -> [Call] {
        if within.isEmpty { return try calls(Self.byKey, keys, Int64(byteLimit)) }
        return try keys.groups(by: \.zone.database).map { database, keys throws(StorageError) in
            var zones = ZonePlaces(stored: try tenant.stored(database))
            var visible = VisibleShares()
            let places = keys.map { key in
                let place = zones.place(of: key.zone)
                visible.add(place, within[key.zone])
                return place
            }
            return Call(Self.byKeyWithin, zones, places, keys.map(\.name), Int64(byteLimit), visible)
        }
    }

    /// The result for each key; from the first record on that would exceed the limit, ``Found/beyondLimit``.
    ///
    /// - Parameter answers: The results of ``records(_:byteLimit:)``.
    func found(
        _ answers: ArraySlice<Rows>, _ keys: [RecordKey], byteLimit: Int, _ tombstoned: inout TombstonedNames
    ) throws(StorageError) -> [Found] {
        var found = [Found](repeating: .absent, count: keys.count)
        for (places, rows) in try rows(answers, of: keys) {
            let page = RecordPage(rows, tenant)
            for (index, place) in places.enumerated() {
                let row = rows[index]
                if row.isNull(RecordColumns.number) {
                    tombstoned.note(keys[place], row, at: RecordColumns.count)
                } else if !row.isNull(Self.isOutside) {
                    found[place] = .outside
                } else {
                    found[place] = row.isNull(RecordColumns.fields) ? .beyondLimit : .record(try page.record(index))
                }
            }
        }
        if answers.count > 1 { found.limit(to: byteLimit) }
        return found
    }

    /// Looks up records without their fields, one call for each database: a row for each of its keys, in their order.
    func stubs(_ keys: [RecordKey]) throws(StorageError) -> [Call] { try calls(Self.stubsByKey, keys) }

    /// - Parameters:
    ///   - answers: The results of ``stubs(_:)``.
    ///   - within: ``ReadSet/within``.
    func stubs(
        _ answers: ArraySlice<Rows>, _ keys: [RecordKey], within: [ZoneKey: [ShareNumber]],
        _ tombstoned: inout TombstonedNames
    ) throws(StorageError) -> [RecordStub?] {
        var stubs = [RecordStub?](repeating: nil, count: keys.count)
        for (places, rows) in try rows(answers, of: keys) {
            for (index, place) in places.enumerated() {
                let row = rows[index]
                if row.isNull(StubColumns.number) {
                    tombstoned.note(keys[place], row, at: StubColumns.count)
                } else {
                    let stub = try StubColumns.read(row, tenant, name: keys[place].name)
                    let shares = within.isEmpty ? nil : within[keys[place].zone]
                    let isVisible = shares.map { shares in stub.share.map(shares.contains) ?? false } ?? true
                    stubs[place] = isVisible ? stub : nil
                }
            }
        }
        return stubs
    }

    // MARK: What is above a record

    func ancestors(_ scan: AncestorScan) throws(StorageError) -> Call {
        Call(Self.line, try scan.zone.place(tenant), scan.name, Int64(scan.limit))
    }

    /// - Parameter rows: The result of ``ancestors(_:)``.
    func line(_ rows: Rows) throws(StorageError) -> AncestorLine {
        var line = AncestorLine(records: [], next: nil)
        try rows.forEach { row throws(StorageError) in
            line.records.append(try StubColumns.read(row, tenant))
            line.next = row.optionalName(StubColumns.count)
        }
        return line
    }

    private static let line = Statement(
        """
        WITH RECURSIVE zone (number) AS MATERIALIZED (SELECT \(ZonePlace.number)), line AS (
            SELECT r.*, 1::bigint AS place, ARRAY[r.name] AS names
            FROM records AS r WHERE r.db = $1 AND r.zone_no = (SELECT number FROM zone) AND r.name = $4
            UNION ALL
            SELECT r.*, line.place + 1, line.names || r.name
            FROM line CROSS JOIN LATERAL (
                SELECT * FROM records WHERE db = $1 AND zone_no = (SELECT number FROM zone) AND name = line.parent LIMIT 1
            ) AS r
            WHERE line.place < $5 AND r.name <> ALL(line.names)
        )
        SELECT \(StubColumns.list), r.parent FROM line AS r ORDER BY r.place
        """)

    private func calls<each Value: Parameter>(
        _ statement: Statement, _ keys: [RecordKey], _ more: repeat each Value
    ) throws(StorageError) -> [Call] {
        try keys.groups(by: \.zone.database).map { database, keys throws(StorageError) in
            var zones = ZonePlaces(stored: try tenant.stored(database))
            let places = keys.map { zones.place(of: $0.zone) }
            return Call(statement, zones, places, keys.map(\.name), repeat each more)
        }
    }

    /// The result of each database, with the positions of its keys.
    private func rows(
        _ answers: ArraySlice<Rows>, of keys: [RecordKey]
    ) throws(StorageError) -> [(places: [Int], rows: Rows)] {
        let databases = keys.indices.groups { keys[$0].zone.database }
        guard databases.count == answers.count, zip(databases, answers).allSatisfy({ $0.members.count == $1.count })
        else {
            throw .failed("a look-up of records lacks rows")
        }
        return zip(databases, answers).map { ($0.members, $1) }
    }

    /// The column that is not null for a record that is not visible.
    private static let isOutside = RecordColumns.count + 2

    private static let byKey = Statement(byKey(isVisible: nil))
    private static let byKeyWithin = Statement(
        byKey(isVisible: VisibleShares.condition(7, place: "key.zone", share: "r.share_root")))

    /// - Parameter isVisible: SQL for whether a record is visible; nil if all are. The bytes of others do not count.
    private static func byKey(isVisible: String?) -> String {
        let hidden = isVisible.map { "CASE WHEN NOT \($0) THEN r.record_no END" } ?? "NULL::bigint"
        let size = isVisible.map { "CASE WHEN \($0) THEN r.size END" } ?? "r.size"
        return """
            WITH \(ZonePlaces.table)
            SELECT
                \(RecordColumns.list(of: "r", fields: "CASE WHEN hidden IS NULL AND (total <= $6 OR total = size AND $6 >= 0) THEN fields END")),
                r.found_in, r.tombstone, r.hidden
            FROM (
                SELECT \(RecordColumns.list(of: "r")), \(absence), \(hidden) AS hidden, key.place,
                    (sum(\(size)) OVER (ORDER BY key.place))::bigint AS total
                FROM \(recordsOfKeys)
            ) AS r ORDER BY r.place
            """
    }
    private static let stubsByKey = Statement(
        """
        WITH \(ZonePlaces.table)
        SELECT \(StubColumns.list), \(absence) FROM \(recordsOfKeys) ORDER BY key.place
        """)

    private static let recordsOfKeys = """
        unnest($4::bigint[], $5::bytea[]) WITH ORDINALITY AS key (zone, name, place)
        JOIN zone ON zone.place = key.zone
        LEFT JOIN records AS r ON r.db = $1 AND r.zone_no = zone.zone_no AND r.name = key.name
        """
    /// For a missing record: the number of the zone, and whether there is a tombstone.
    private static let absence = """
        zone.zone_no AS found_in, CASE WHEN r.record_no IS NULL THEN (
            SELECT t.seq FROM tombstones AS t WHERE t.db = $1 AND t.zone_no = zone.zone_no AND t.name = key.name
        ) END AS tombstone
        """
}

extension [Found] {
    /// Several results that are each within the limit may exceed it together. The first record may exceed it alone.
    fileprivate mutating func limit(to byteLimit: Int) {
        var (bytes, isFirst, isOver) = (Int64(0), true, byteLimit < 0)
        for place in indices {
            switch self[place] {
            case .absent, .outside: continue
            case .beyondLimit: isOver = true
            case .record(let record):
                bytes += record.storedBytes
                isOver = isOver || !isFirst && bytes > byteLimit
                if isOver { self[place] = .beyondLimit }
            }
            isFirst = false
        }
    }
}

extension TombstonedNames {
    /// - Parameter column: The column with the number of the zone, null if there is none; the next column is the sequence of the tombstone.
    fileprivate mutating func note(_ key: RecordKey, _ row: Row, at column: Int32) {
        guard let zone = row.optionalInt(column) else { return }
        self[Place(database: key.zone.database, zone: zone, name: key.name)] = !row.isNull(column + 1)
    }
}
