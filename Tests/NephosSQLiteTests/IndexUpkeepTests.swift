import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Upkeep of indexes") struct IndexUpkeepTests {
    private static let text = RecordField.field("text", .string, epoch: 0)
    private let byText = IndexShape(type: Cloud.note, parts: [.value(text), .order(.recordName, isDescending: false)])
    private let byName = IndexShape(type: Cloud.note, parts: [.order(.recordName, isDescending: true)])

    private func fill(_ store: SQLiteTenantStore, _ count: Int) async throws {
        try await store.save((0..<count).map { Name("note \($0)") }, fields: Notes.text("milk"))
    }

    @Test("a chunk ends when its time is over, however many rows it may take, and goes on at the next record")
    func clock() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 20)
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        for step in 1..<20 {
            #expect(try await store.buildIndexes(in: 1, rows: 1_000, within: .zero))
            #expect(try store.indexes().map(\.builtTo) == [Int64(step), Int64(step)])
            #expect(try store.check { _, _ in } == [])
        }
        #expect(try await store.buildIndexes(in: 1, rows: 1_000, within: .zero) == false)
        #expect(try store.indexes().map(\.state) == [.ready, .ready])
        #expect(try store.entries() == 40)
    }

    @Test("clearing ends when its time is over, and goes on in the zone where it stopped")
    func clockOfClearing() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 600)
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 1_000) {}
        try await store.dropIndexes([try #require(try store.indexes().first).number], in: 1)
        #expect(try await store.buildIndexes(in: 1, rows: 1_000, within: .zero))
        #expect(try store.entries() == 1_200 - 256)
        #expect(try store.indexes().map(\.state) == [.dropped, .ready])
        #expect(try await store.buildIndexes(in: 1, rows: 100, within: .seconds(9)))
        #expect(try store.entries() == 1_200 - 356)
        while try await store.buildIndexes(in: 1, rows: 1_000, within: .zero) {}
        #expect(try store.entries() == 600)
        #expect(try store.indexes().map(\.shape) == [byName])
        #expect(try store.check { _, _ in } == [])
    }

    @Test("indexes that were opened one after the other go on in one walk once the last caught up")
    func catchingUp() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 10)
        try await store.openIndexes([byText], in: 1, at: 1)
        #expect(try await store.buildIndexes(in: 1, rows: 4, within: .seconds(9)))
        try await store.openIndexes([byName], in: 1, at: 1)
        var ends: [[RecordNumber]] = []
        while try await store.buildIndexes(in: 1, rows: 3, within: .seconds(9)) {
            ends.append(try store.indexes().map(\.builtTo))
        }
        #expect(ends == [[4, 3], [4, 4], [7, 7]])
        #expect(try store.indexes().map(\.state) == [.ready, .ready])
    }

    @Test("a write of a database without an index asks for none, and a list of indexes is asked for once a version")
    func nothingToPay() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        // Whoever looked into these tables would not find them.
        try cloud.meddle("ALTER TABLE indexes RENAME TO away; ALTER TABLE index_rows RENAME TO away_too")
        try await fill(store, 2)
        try await fill(store, 2)
        try await store.delete("note 1")
        try cloud.meddle("ALTER TABLE away RENAME TO indexes; ALTER TABLE away_too RENAME TO index_rows")
        try await store.openIndexes([byText], in: 1, at: 1)
        try await fill(store, 2)
        try cloud.meddle("ALTER TABLE indexes RENAME TO away")
        try await fill(store, 3)
        try cloud.meddle("ALTER TABLE away RENAME TO indexes")
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a change writes only the entries that became others")
    func difference() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        try await fill(store, 1)
        try cloud.meddle(
            """
            CREATE TABLE written (what TEXT);
            CREATE TRIGGER inserted AFTER INSERT ON index_rows BEGIN INSERT INTO written VALUES ('+'); END;
            CREATE TRIGGER deleted AFTER DELETE ON index_rows BEGIN INSERT INTO written VALUES ('-'); END;
            """)
        for (text, expected) in [("milk", 0), ("bread", 2), ("bread", 2), ("milk", 4)] as [(String, Int64)] {
            try await store.save(["note 0"], fields: Notes.text(text))
            let connection = try Connection(path: cloud.file, access: .read, settings: [])
            #expect(try connection.number("SELECT count(*) FROM written") == expected)
        }
        #expect(try store.check { _, _ in } == [])
    }

    @Test("an index that another process opened is kept from the next write on")
    func otherProcess() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let other = try SQLiteEngine(directory: cloud.folder.path)
        defer { other.close() }
        try await store.openIndexes([byName], in: 1, at: 1)
        try await fill(store, 3)
        try await cloud.store(other).openIndexes([byText], in: 1, at: 1)
        try await store.save(["new"], fields: Notes.text("x"))
        #expect(try store.entries() == 5)
        while try await cloud.store(other).buildIndexes(in: nil, rows: 1) {}
        try await store.dropIndexes([try #require(try store.indexes().first).number], in: 1)
        try await cloud.store(other).save(["newer"], fields: Notes.text("x"))
        #expect(try store.check { _, _ in } == [])
    }

    @Test("an index whose shape is of an older form is in nobody's way, and goes when another is opened")
    func olderForm() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 5)
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 100) {}
        try cloud.meddle(
            "UPDATE indexes SET shape = CAST(x'00' || substr(shape, 2) AS BLOB) WHERE index_no = (SELECT min(index_no) FROM indexes)"
        )
        #expect(try store.check { _, _ in }.contains { $0.table == "indexes" })
        let other = try SQLiteEngine(directory: cloud.folder.path)
        defer { other.close() }
        try await cloud.store(other).save(["new"], fields: Notes.text("x"))
        #expect(try store.indexes().map(\.shape) == [byName])
        try await store.openIndexes([byText], in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 100) {}
        #expect(try store.indexes().map(\.shape) == [byName, byText])
        #expect(try store.check { _, _ in } == [])
    }

    @Test(
        "an index of an older form that is not built yet, or not gone yet, is cleared like a dropped one",
        arguments: [0, 2])
    func olderFormUnfinished(state: Int) async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 5)
        try await store.openIndexes([byText], in: 1, at: 1)
        _ = try await store.buildIndexes(in: 1, rows: 3)
        try cloud.meddle("UPDATE indexes SET shape = x'00', state = \(state)")
        // One step to drop it, one to clear it.
        #expect(try await store.buildIndexes(in: nil, rows: 100, within: .seconds(9)))
        #expect(try await store.buildIndexes(in: nil, rows: 100, within: .seconds(9)) == false)
        #expect(try store.entries() == 0)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a write that fails leaves no entry behind")
    func failedWrite() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.openIndexes([byText], in: 1, at: 1)
        try await fill(store, 1)
        await #expect(throws: StorageError.self) {
            try await store.commit(Notes.reading(["new", "note 0"])) { reading in
                var reading = reading
                reading.records = [.absent, .absent]
                return .write(try Notes.save(["new", "note 0"], fields: Notes.text("x"), from: reading), ())
            }
        }
        #expect(try store.entries() == 1)
        #expect(try store.check { _, _ in } == [])
    }
}
