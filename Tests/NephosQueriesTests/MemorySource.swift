import CloudKitWire
import Foundation
import NephosQueries
import NephosStorage

/// Tables in sorted arrays.
struct MemorySource: QuerySource {
    var records: [RecordNumber: RecordRow] = [:]
    var zoneNumbers: [ZoneNumber] = []
    /// Records of the database that no query of the test concerns.
    var otherRecords: Int64 = 0
    private(set) var indexes: [IndexRow] = []
    private var rows: [IndexNumber: [(zone: ZoneNumber, entry: IndexEntry)]] = [:]

    /// The work of queries since the last reset.
    var entriesRead = 0
    var recordsRead = 0
    var bytesRead = 0
    var calls = 0
    var abandonment: Abandonment?
    /// The client disconnects with the first fetch of records.
    var isLeftAtFetch = false

    /// Builds the indexes again from the records.
    mutating func open(_ shapes: [IndexShape]) {
        indexes = shapes.enumerated().map {
            IndexRow(
                database: 1, number: IndexNumber($0.offset + 1), shape: $0.element, state: .ready, createdAt: 0,
                usedAt: 0)
        }
        rows = [:]
        guard !shapes.isEmpty else { return }
        // All keys of a record at once, as writers create them.
        let keys = IndexKeys(shapes)
        var entries = shapes.map { _ in [(zone: ZoneNumber, entry: IndexEntry)]() }
        for record in records.values {
            for (place, found) in keys.keys(of: record).enumerated() {
                for key in found { entries[place].append((record.zone, IndexEntry(key: key, record: record.number))) }
            }
        }
        for (place, index) in indexes.enumerated() {
            rows[index.number] = entries[place].sorted {
                Self.precedes($0, ($1.zone, $1.entry.key, $1.entry.record))
            }
        }
    }

    /// Builds the same indexes again, after records have changed.
    mutating func refresh() { open(indexes.map(\.shape)) }

    private static func precedes(
        _ row: (zone: ZoneNumber, entry: IndexEntry), _ place: (ZoneNumber, Bytes, RecordNumber)
    ) -> Bool {
        if row.zone != place.0 { return row.zone < place.0 }
        let order = compare(row.entry.key, place.1)
        if order != 0 { return order < 0 }
        return row.entry.record < place.2
    }

    private static func compare(_ left: Bytes, _ right: Bytes) -> Int {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(first, second, min(left.count, right.count))
                return order != 0 ? Int(order) : left.count - right.count
            }
        }
    }

    private func slice(_ range: EntryRange) -> Range<Int> {
        guard let rows = rows[range.index] else { return 0..<0 }
        func first(_ place: (ZoneNumber, Bytes, RecordNumber)) -> Int {
            var low = 0
            var high = rows.count
            while low < high {
                let middle = (low + high) / 2
                if Self.precedes(rows[middle], place) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let lower = first((range.zone, range.lower, range.afterRecord.map { $0 == .max ? .max : $0 + 1 } ?? .min))
        let upper = range.upper.map { first((range.zone, $0, .min)) } ?? first((range.zone + 1, [], .min))
        return lower..<max(lower, upper)
    }

    // MARK: QuerySource

    mutating func zones() throws(StorageError) -> [ZoneNumber] { zoneNumbers }

    mutating func size() throws(StorageError) -> (records: Int64, bytes: Int64) {
        (Int64(records.count) + otherRecords, records.values.reduce(0) { $0 + $1.storedBytes })
    }

    mutating func readyIndexes(of type: TypeNumber) throws(StorageError) -> [IndexRow] {
        indexes.filter { $0.shape.type == type }
    }

    mutating func entries(
        in range: EntryRange, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError) {
        precondition(limit > 0)
        calls += 1
        let found = slice(range).prefix(limit)
        entriesRead += found.count
        guard let rows = rows[range.index] else { return }
        for index in found { entries.append(rows[index].entry) }
    }

    mutating func count(in range: EntryRange, limit: Int) throws(StorageError) -> Int {
        calls += 1
        let count = min(limit, slice(range).count)
        entriesRead += count
        return count
    }

    mutating func records(_ numbers: [RecordNumber], byteLimit: Int) throws(StorageError) -> FetchedRecords {
        fetch(numbers.map { records[$0] }, byteLimit)
    }

    mutating func records(
        named names: [Name], in zone: ZoneNumber, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords {
        fetch(names.map { name in records.values.first { $0.name == name && $0.zone == zone } }, byteLimit)
    }

    private mutating func fetch(_ found: [RecordRow?], _ byteLimit: Int) -> FetchedRecords {
        if isLeftAtFetch { abandonment?.abandon() }
        var fetched: [RecordRow] = []
        var bytes: Int64 = 0
        for (index, record) in found.enumerated() {
            bytes += record?.storedBytes ?? 0
            if bytes > Int64(byteLimit) { return FetchedRecords(fetched, asked: index) }
            guard let record else { continue }
            fetched.append(record)
            recordsRead += 1
            bytesRead += Int(record.storedBytes)
        }
        return FetchedRecords(fetched, asked: found.count)
    }

    mutating func records(of type: TypeNumber, in zone: ZoneNumber) throws(StorageError) -> [RecordRow] {
        records.values.filter { $0.type == type && $0.zone == zone }
    }
}
