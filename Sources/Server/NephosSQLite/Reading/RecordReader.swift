import CloudKitWire
import NephosQueries
import NephosStorage

/// Look-ups of records by name.
struct RecordReader {
    typealias Key = (zone: ZonePlace, name: Name)

    let connection: Connection

    func stub(_ key: Key) throws(StorageError) -> RecordStub? {
        guard let zone = key.zone.number else { return nil }
        return try connection.first(Self.stub, key.zone.database, zone, key.name) { row throws(StorageError) in
            try StubColumns.read(row, database: key.zone.database, name: key.name)
        }
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
            }
        }
        for (place, row) in zip(places, page.finish()) { found[place] = .record(row) }
    }

    private enum Outcome { case loaded, absent, beyondLimit }

    private func load(
        _ key: Key, into page: inout RecordPage, remaining: inout Int
    ) throws(StorageError) -> Outcome {
        guard let zone = key.zone.number else { return .absent }
        // Below zero the limit was exceeded: the remaining records are only checked for existence.
        let statement = remaining < 0 ? Self.size : Self.whole
        var cursor = try connection.start(statement, key.zone.database, zone, key.name)
        guard try cursor.next() else { return .absent }
        guard remaining >= 0 else { return .beyondLimit }
        remaining -= Int(cursor.int(RecordColumns.size))
        guard remaining >= 0 || page.count == 0 else { return .beyondLimit }
        try page.add(cursor, database: key.zone.database)
        return .loaded
    }

    // MARK: Statements

    private static let byName = "WHERE db = ? AND zone_no = ? AND name = ?"
    private static let whole = Statement("SELECT \(RecordColumns.list) FROM records \(byName)")
    private static let size = Statement("SELECT size FROM records \(byName)")
    private static let stub = Statement("SELECT \(StubColumns.list) FROM records r \(byName)")
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
