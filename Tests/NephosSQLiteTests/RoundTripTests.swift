import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("A tenant in a SQLite file") struct RoundTripTests {
    @Test("returns what was committed, even after it was closed and reopened")
    func roundTrip() async throws {
        let cloud = try Cloud()
        try await cloud.store().save(["groceries"], fields: #"{"text":"milk"}"#)
        let row = try #require(try cloud.store().record("groceries"))
        #expect(row.fields.text == #"{"text":"milk"}"#)
        cloud.engine.close()

        let again = try SQLiteEngine(directory: cloud.folder.path)
        defer { again.close() }
        #expect(try cloud.store(again).record("groceries") == row)
        #expect(try cloud.store(again).check { _, _ in } == [])
    }
}
