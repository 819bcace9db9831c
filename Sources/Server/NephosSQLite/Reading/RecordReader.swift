import CloudKitWire
import NephosQueries
import NephosStorage

/// Look-ups of records by name.
struct RecordReader {
    typealias Key = (zone: ZonePlace, name: Name)

    let connection: Connection

    func stub(_ key: Key) throws(StorageError) -> RecordStub? {
        guard let zone = key.zone.number else { return nil }
        let stub = try connection.first(Self.stub, key.zone.database, zone, key.name) { row throws(StorageError) in
            try StubColumns.read(row, database: key.zone.database, name: key.name)
        }
        return stub.flatMap { key.zone.shows($0.share) ? $0 : nil }
    }

    func ancestors(_ scan: AncestorScan, in place: ZonePlace) throws(StorageError) -> AncestorLine {
        var line = AncestorLine(records: [], next: scan.name)
        guard let zone = place.number else { return AncestorLine(records: [], next: nil) }
        var names: Set<Name> = []
        while line.records.count < scan.limit, let name = line.next, names.insert(name).inserted {
            var cursor = try connection.start(Self.stubAndParent, place.database, zone, name)
            guard try cursor.next() else { break }
            line.records.append(try StubColumns.read(cursor, database: place.database, name: name))
            line.next = cursor.optionalName(StubColumns.count)
        }
        if line.records.isEmpty { line.next = nil }
        return line
    }

    // MARK: Whole records, without missing ones

    func record(_ number: RecordNumber, in database: DatabaseNumber) throws(StorageError) -> RecordRow? {
        try records([number], in: database, byteLimit: .max).records.first
    }

    /// Records in the order of `numbers`, as long as they fit in `byteLimit`.
    func records(
        _ numbers: [RecordNumber], in database: DatabaseNumber, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords {
        var page = RecordPage()
        page.reserve(rows: numbers.count, bytes: numbers.count * expectedBytes)
        var room = byteLimit
        for (index, number) in numbers.enumerated() {
            var cursor = try connection.start(Self.byNumber, database, number)
            guard try page.add(&cursor, database: database, &room) else {
                return FetchedRecords(page.finish(), asked: index)
            }
        }
        return FetchedRecords(page.finish(), asked: numbers.count)
    }

    func records(
        named names: [Name], in zone: ZonePlace, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords {
        guard let number = zone.number else { return FetchedRecords([], asked: names.count) }
        var page = RecordPage()
        var room = byteLimit
        for (index, name) in names.enumerated() {
            var cursor = try connection.start(Self.whole, zone.database, number, name)
            guard try page.add(&cursor, database: zone.database, &room) else {
                return FetchedRecords(page.finish(), asked: index)
            }
        }
        return FetchedRecords(page.finish(), asked: names.count)
    }

    /// All records of a type: only if they are few.
    func records(of type: TypeNumber, in zone: ZonePlace) throws(StorageError) -> [RecordRow] {
        guard let number = zone.number else { return [] }
        var page = RecordPage()
        var cursor = try connection.start(Self.ofType, zone.database, number, type)
        while try cursor.next() { try page.add(cursor, database: zone.database) }
        return page.finish()
    }

    // MARK: Within a byte limit

    /// Appends the result for each key to `found`.
    ///
    /// After a record would exceed `byteLimit`, the result of that one and all following ones is ``Found/beyondLimit``.
    func records(_ keys: [Key], byteLimit: Int, into found: inout [Found]) throws(StorageError) {
        var page = RecordPage()
        page.reserve(rows: keys.count, bytes: min(keys.count * expectedBytes, max(byteLimit, 0)))
        var places: [Int] = []
        places.reserveCapacity(keys.count)
        var remaining = byteLimit
        found.reserveCapacity(found.count + keys.count)
        for key in keys {
            switch try load(key, into: &page, remaining: &remaining) {
            case .loaded:
                places.append(found.count)
                found.append(.absent)
            case .absent: found.append(.absent)
            case .beyondLimit: found.append(.beyondLimit)
            case .outside: found.append(.outside)
            }
        }
        for (place, row) in zip(places, page.finish()) { found[place] = .record(row) }
    }

    private enum Outcome { case loaded, absent, beyondLimit, outside }

    private func load(
        _ key: Key, into page: inout RecordPage, remaining: inout Int
    ) throws(StorageError) -> Outcome {
        guard let zone = key.zone.number else { return .absent }
        let isRestricted = key.zone.shares != nil
        // Below zero the limit was exceeded: the remaining records are only checked for existence.
        let statement = remaining < 0 ? Self.share : isRestricted ? Self.wholeIfSmall : Self.whole
        var cursor = try connection.start(statement, key.zone.database, zone, key.name)
        guard try cursor.next() else { return .absent }
        if isRestricted {
            guard key.zone.shows(cursor.optionalInt(remaining < 0 ? 0 : RecordColumns.share)) else { return .outside }
        }
        guard remaining >= 0 else { return .beyondLimit }
        let size = cursor.int(RecordColumns.size)
        remaining -= Int(size)
        guard remaining >= 0 || page.count == 0 else { return .beyondLimit }
        if isRestricted, size > Self.smallSize {
            cursor = try connection.start(Self.whole, key.zone.database, zone, key.name)
            guard try cursor.next() else { return .absent }
        }
        try page.add(cursor, database: key.zone.database)
        return .loaded
    }

    // MARK: Statements

    private static let byName = "WHERE db = ? AND zone_no = ? AND name = ?"
    private static let whole = Statement("SELECT \(RecordColumns.list) FROM records \(byName)")
    /// Fields take long to read if they are large, and whoever may not see a record would notice that.
    private static let wholeIfSmall = Statement(
        "SELECT \(RecordColumns.list(fields: "CASE WHEN size <= \(smallSize) THEN fields END")) FROM records \(byName)")
    private static let smallSize: Int64 = 16_384
    private static let share = Statement("SELECT share_root FROM records \(byName)")
    private static let stub = Statement("SELECT \(StubColumns.list) FROM records r \(byName)")
    private static let stubAndParent = Statement("SELECT \(StubColumns.list), r.parent FROM records r \(byName)")
    private static let byNumber = Statement("SELECT \(RecordColumns.list) FROM records WHERE \(RowKey.isBound)")
    private static let ofType = Statement(
        """
        SELECT \(RecordColumns.list) FROM records INDEXED BY records_by_seq WHERE db = ? AND zone_no = ? AND type = ?
        """)
}

/// Memory reserved for the name and fields of a record before its size is known.
private let expectedBytes = 1_024

extension RecordPage {
    /// Adds the row of a statement that has at most one. - Returns: False if it does not fit in `room`.
    fileprivate mutating func add(
        _ cursor: inout Cursor, database: DatabaseNumber, _ room: inout Int
    ) throws(StorageError) -> Bool {
        guard try cursor.next() else { return true }
        room -= Int(cursor.int(RecordColumns.size))
        guard room >= 0 else { return false }
        try add(cursor, database: database)
        return true
    }
}
