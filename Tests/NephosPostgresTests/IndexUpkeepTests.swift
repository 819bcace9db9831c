import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

@Suite("Maintenance of indexes") struct IndexUpkeepTests {
    @Test(arguments: IndexUpkeepCase.all)
    func keeps(_ rule: IndexUpkeepCase) async throws { try await rule.check(try Tables()) }

    private let byName = IndexShape(type: Cloud.note, parts: [.order(.recordName, isDescending: true)])

    private func fill(_ store: PostgresTenantStore, _ count: Int, text: String) async throws {
        try await store.save((0..<count).map { Name("note \($0)") }, fields: Notes.text(text))
    }

    @Test("a chunk ends after a number of bytes of records")
    func bytes() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 12, text: String(repeating: "x", count: 100_000))
        try await store.openIndexes([byName], in: 1, at: 1)
        #expect(try await store.buildIndexes(in: 1, IndexChunk(rows: 1_000, time: .seconds(9))))
        #expect(try store.indexes().map(\.builtTo) == [6])
        #expect(try await store.buildIndexes(in: 1, IndexChunk(rows: 6, time: .seconds(9))) == false)
        #expect(try store.findings() == [])
    }

    @Test("records of types without an index are skipped without being read")
    func otherTypes() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store, 30, text: String(repeating: "x", count: 100_000))
        let byNumber = IndexShape(type: 99, parts: [.value(.recordName)])
        try await store.openIndexes([byNumber], in: 1, at: 1)
        #expect(try await store.buildIndexes(in: 1, IndexChunk(rows: 10, time: .zero)))
        #expect(try store.indexes().map(\.builtTo) == [10])
        #expect(try await store.buildIndexes(in: 1, IndexChunk(rows: 20, time: .zero)) == false)
        #expect(try store.indexes().map(\.state) == [.ready])
        #expect(try cloud.number("SELECT count(*) FROM index_rows") == 0)
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
