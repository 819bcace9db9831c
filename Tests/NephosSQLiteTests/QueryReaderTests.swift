import CloudKitWire
import NephosQueries
import NephosStorage
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Reading index entries") struct QueryReaderTests {
    private let cloud: Cloud
    private let source: QueryReader

    private let abandonment = Abandonment()

    /// Keys of one database, in two zones and two indexes; some records have the same key.
    init() throws {
        cloud = try Cloud()
        for (zone, index, key, record) in [
            (1, 5, "", 8), (1, 5, "61", 3), (1, 5, "61", 9), (1, 5, "6100", 1), (1, 5, "62", 2), (1, 5, "FF", 7),
            (1, 6, "61", 4), (2, 5, "61", 5),
        ] {
            try cloud.meddle("INSERT INTO index_rows VALUES (1, \(zone), \(index), X'\(key)', \(record))")
        }
        try cloud.meddle("INSERT INTO index_rows VALUES (2, 1, 5, X'61', 99)")
        let reader = TenantReader(try Connection(path: cloud.file, access: .read, settings: Tuning.reader))
        source = QueryReader(reader, 1, zones: [1, 2], abandonment)
    }

    private func records(
        _ lower: Bytes, after: RecordNumber? = nil, upper: Bytes?, limit: Int = 99
    ) throws -> [RecordNumber] {
        let range = EntryRange(index: 5, zone: 1, lower: lower, afterRecord: after, upper: upper)
        var entries: [IndexEntry] = []
        try source.entries(in: range, limit: limit, into: &entries)
        #expect(try source.count(in: range, limit: limit) == entries.count)
        return entries.map(\.record)
    }

    @Test("a range begins at its lower key or after a record in it, and ends before its upper key")
    func ranges() throws {
        #expect(try records([], upper: nil) == [8, 3, 9, 1, 2, 7])
        #expect(try records([], after: 8, upper: nil) == [3, 9, 1, 2, 7])
        #expect(try records([0x61], upper: [0x62]) == [3, 9, 1])
        #expect(try records([0x61], after: 3, upper: [0x62]) == [9, 1])
        #expect(try records([0x61], after: 9, upper: [0x61, 0]) == [])
        #expect(try records([0x61], after: 9, upper: nil, limit: 2) == [1, 2])
        #expect(try records([0x63], upper: nil) == [7])
        #expect(try records([0xFF], after: 7, upper: nil) == [])
        #expect(try records([0x62], upper: [0x61]) == [])
    }

    @Test("entries have their keys, and continue after a given entry")
    func keys() throws {
        var entries = [IndexEntry(key: [1], record: 1)]
        try source.entries(in: EntryRange(index: 5, zone: 2, lower: [], upper: nil), limit: 9, into: &entries)
        try source.entries(in: EntryRange(index: 6, zone: 1, lower: [], upper: nil), limit: 9, into: &entries)
        #expect(
            entries == [
                IndexEntry(key: [1], record: 1), IndexEntry(key: [0x61], record: 5), IndexEntry(key: [0x61], record: 4),
            ])
    }

    @Test("records are read by number, name and type in the requested order, without missing ones")
    func records() async throws {
        try await cloud.store().save(["a", "b", "c"])
        #expect(try source.records([3, 99, 1, 3], byteLimit: .max).records.map(\.name) == ["c", "a", "c"])
        #expect(
            try source.records(named: ["c", "x", "a"], in: 1, byteLimit: .max).records.map(\.name) == ["c", "a"])
        #expect(try source.records(named: ["c"], in: 2, byteLimit: .max).records == [])
        #expect(try Set(source.records(of: Cloud.note, in: 1).map(\.name)) == ["a", "b", "c"])
        #expect(try source.records(of: 2, in: 1) == [])
        let size = try source.size()
        #expect(size.records == 3 && size.bytes > 0)
    }

    @Test("records are read up to a byte limit, and none if the first exceeds it")
    func byteLimit() async throws {
        try await cloud.store().save(["a", "b", "c"])
        let sizes = try source.records([1, 2, 3], byteLimit: .max).records.map { Int($0.storedBytes) }
        for (limit, asked) in [(sizes[0] - 1, 0), (sizes[0], 2), (sizes[0] + sizes[1], 3), (sizes.reduce(0, +), 4)] {
            let numbered = try source.records([1, 99, 2, 3], byteLimit: limit)
            let named = try source.records(named: ["a", "x", "b", "c"], in: 1, byteLimit: limit)
            #expect(numbered.asked == asked && named.asked == asked)
            #expect(numbered.records == named.records)
            #expect(numbered.records.reduce(0) { $0 + Int($1.storedBytes) } <= limit)
        }
    }

    // docs/decisions/0014
    @Test("nothing is read after the caller is gone")
    func abandoned() async throws {
        try await cloud.store().save(["a"])
        abandonment.abandon()
        #expect(throws: StorageError.abandoned) { try source.records([1], byteLimit: .max) }
        #expect(throws: StorageError.abandoned) { try source.records(named: ["a"], in: 1, byteLimit: .max) }
        #expect(throws: StorageError.abandoned) { try source.records(of: 1, in: 1) }
        #expect(throws: StorageError.abandoned) { try records([], upper: nil) }
    }
}

@Suite("Query plans of statements") struct QueryPlanTests {
    private func plan(_ sql: String) throws -> String {
        let cloud = try Cloud()
        let connection = try Connection(path: cloud.file, access: .read, settings: [])
        var cursor = try connection.once("EXPLAIN QUERY PLAN \(sql)")
        var lines: [String] = []
        while try cursor.next() { lines.append(cursor.string(3)) }
        return lines.joined(separator: "; ")
    }

    @Test("entries are read from the primary key, within the range, without sorting")
    func entries() throws {
        let prefix = "SEARCH index_rows USING PRIMARY KEY (db=? AND zone_no=? AND index_no=? AND key"
        #expect(try plan(EntryReader.ofKey.sql) == "\(prefix)=? AND record_no>?)")
        #expect(try plan(EntryReader.endless.sql) == "\(prefix)>?)")
        #expect(try plan(EntryReader.ending.sql) == "\(prefix)>? AND key<?)")
        #expect(try plan(EntryReader.endlessCount.sql).contains("\(prefix)>?)"))
        #expect(try plan(EntryReader.endingCount.sql).contains("\(prefix)>? AND key<?)"))
        #expect(try plan(EntryWriter.removalOfFirst.sql).hasPrefix("\(prefix)<?)"))
    }

    @Test("roles are looked up by name, trash and outgoing pushes are read in order, and nothing is sorted")
    func others() throws {
        let roles = try plan(MembershipReader.fields.sql)
        #expect(roles.contains("records_by_name (db=? AND zone_no=? AND name=?)"))
        #expect(roles.contains("zones_live (db=? AND name=?)"))
        let page = TrashRow.Position(deletedAt: 1, number: 1)
        let trash = [nil, "a"].map { name in
            TableSQL.scan(TrashRow.newest(in: 1, named: name, type: 1, from: 1, after: page, limit: 9))
        }
        let sends = TableSQL.scan(DeliveryRow.toSend(.webhook, now: 1, limit: 9))
        let sessions = TableSQL.scan(SessionRow.unrevoked(of: UserID(high: 0, low: 1), limit: 9))
        let indexes = [IndexRow.all(of: 1), IndexRow.ready(of: 1, in: 1)].map(TableSQL.scan)
        for sql in trash + [sends, sessions] + indexes {
            let plan = try plan(sql)
            #expect(plan.hasPrefix("SEARCH") && !plan.contains("TEMP B-TREE"), "\(plan)")
        }
    }
}
