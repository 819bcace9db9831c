import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Maintenance of indexes") struct IndexUpkeepTests {
    @Test(arguments: IndexUpkeepCase.all)
    func keeps(_ rule: IndexUpkeepCase) async throws { try await rule.check(try Tables()) }

    private static let text = RecordField.field("text", .string, epoch: 0)
    private let byText = IndexShape(type: Cloud.note, parts: [.value(text), .order(.recordName, isDescending: false)])
    private let byName = IndexShape(type: Cloud.note, parts: [.order(.recordName, isDescending: true)])

    @Test("a change writes only the entries that differ")
    func difference() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.openIndexes([byText, byName], in: 1, at: 1)
        try await store.save(["note 0"], fields: Notes.text("milk"))
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
}
