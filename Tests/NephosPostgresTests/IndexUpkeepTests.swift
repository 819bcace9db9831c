import CloudKitWire
import NephosQueries
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

@Suite("Upkeep of indexes") struct IndexUpkeepTests {
    private static let text = RecordField.field("text", .string, epoch: 0)
    private let byText = IndexShape(type: Cloud.note, parts: [.value(text), .order(.recordName, isDescending: false)])
    private let byName = IndexShape(type: Cloud.note, parts: [.order(.recordName, isDescending: true)])

    private func fill(_ store: PostgresTenantStore, _ count: Int, text: String = "milk") async throws {
        try await store.save((0..<count).map { Name("note \($0)") }, fields: Notes.text(text))
    }

    private func entries(_ cloud: Cloud) throws -> Int64? { try cloud.number("SELECT count(*) FROM index_rows") }

    @Test("a chunk ends when its time is over, however many rows it may take, and goes on at the next record")
    func clock() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 20)
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        for step in 1..<20 {
            #expect(try await store.buildIndexes(in: 1, rows: 1_000, within: .zero))
            #expect(try store.indexes().map(\.builtTo) == [Int64(step), Int64(step)])
            #expect(try store.findings() == [])
        }
        #expect(try await store.buildIndexes(in: 1, rows: 1_000, within: .zero) == false)
        #expect(try store.indexes().map(\.state) == [.ready, .ready])
        #expect(try entries(cloud) == 40)
    }

    @Test("a chunk ends after some entries, and after some bytes of records")
    func bounds() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 600)
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        #expect(try await store.buildIndexes(in: 1, rows: 1_000, within: .seconds(9)))
        #expect(try store.indexes().map(\.builtTo) == [128, 128])
        #expect(try entries(cloud) == 256)
        let large = try Cloud()
        let other = try large.store()
        try await fill(other, 12, text: String(repeating: "x", count: 100_000))
        try await other.openIndexes([byName], in: 1, at: 1)
        #expect(try await other.buildIndexes(in: 1, rows: 1_000, within: .seconds(9)))
        #expect(try other.indexes().map(\.builtTo) == [6])
        #expect(try await other.buildIndexes(in: 1, rows: 6, within: .seconds(9)) == false)
        #expect(try other.findings() == [])
    }

    @Test("records of types that have no index are passed over without being read")
    func otherTypes() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 30, text: String(repeating: "x", count: 100_000))
        let byNumber = IndexShape(type: 99, parts: [.value(.recordName)])
        try await store.openIndexes([byNumber], in: 1, at: 1)
        #expect(try await store.buildIndexes(in: 1, rows: 10, within: .zero))
        #expect(try store.indexes().map(\.builtTo) == [10])
        #expect(try await store.buildIndexes(in: 1, rows: 20, within: .zero) == false)
        #expect(try store.indexes().map(\.state) == [.ready])
        #expect(try entries(cloud) == 0)
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
        #expect(try entries(cloud) == 1_200 - 256)
        #expect(try store.indexes().map(\.state) == [.dropped, .ready])
        #expect(try await store.buildIndexes(in: 1, rows: 100, within: .seconds(9)))
        #expect(try entries(cloud) == 1_200 - 356)
        while try await store.buildIndexes(in: 1, rows: 1_000, within: .zero) {}
        #expect(try entries(cloud) == 600)
        #expect(try store.indexes().map(\.shape) == [byName])
        #expect(try store.findings() == [])
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

    @Test("an index whose shape is of an older form is in nobody's way, and goes when another is opened")
    func olderForm() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 5)
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 100) {}
        try cloud.meddle(
            #"""
            UPDATE indexes SET shape = '\x00'::bytea || substring(shape from 2)
            WHERE index_no = (SELECT min(index_no) FROM indexes)
            """#)
        #expect(try store.findings().contains { $0.table == "indexes" })
        let other = try cloud.anotherEngine()
        defer { other.close() }
        try await cloud.store(other).save(["new"], fields: Notes.text("x"))
        #expect(try store.indexes().map(\.shape) == [byName])
        try await store.openIndexes([byText], in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 100) {}
        #expect(try store.indexes().map(\.shape) == [byName, byText])
        #expect(try store.findings() == [])
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
        try cloud.meddle(#"UPDATE indexes SET shape = '\x00', state = \#(state)"#)
        // One step to drop it, one to clear it.
        #expect(try await store.buildIndexes(in: nil, rows: 100, within: .seconds(9)))
        #expect(try await store.buildIndexes(in: nil, rows: 100, within: .seconds(9)) == false)
        #expect(try entries(cloud) == 0)
        #expect(try store.findings() == [])
    }

    @Test("a use within the hour writes nothing, and waits for no writer")
    func useWithinTheHour() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.openIndexes([byName], in: 1, at: 3_600_000)
        let number = try #require(try store.indexes().first).number
        let session = WriteSession(store, try Connection(cloud.target))
        _ = try session.lockHead(1)
        try await store.noteUse(of: [number], in: 1, at: 3_600_001)
        session.rollback()
        try await store.noteUse(of: [number], in: 1, at: 7_200_001)
        #expect(try store.indexes().map(\.usedAt) == [7_200_000])
        #expect(try store.findings() == [])
    }
}
