import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

@Suite("Check of a tenant") struct CheckTests {
    @Test(arguments: CheckCase.all)
    func finds(_ damage: CheckCase) async throws { try await damage.check(try Tables()) }

    @Test("finds changed and removed tenants")
    func tenants() throws {
        for sql in [
            "UPDATE meta SET last_tenant = 1", "DELETE FROM catalog WHERE environment = 'production'",
            "UPDATE catalog SET container = 'x', deleted_at = 0",
        ] {
            let cloud = try Cloud()
            #expect(try cloud.engine.checkDirectory() == [])
            try cloud.meddle(sql)
            #expect(try cloud.engine.checkDirectory() != [], "\(sql)")
        }
    }

    @Test("finds wrong rows on every page of a long table, and none next to them")
    func manyPages() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let names = (0..<1_300).map { Name("note \($0)") }
        try await store.save(names, fields: Notes.text(String(repeating: "long", count: 3_000)))
        try await store.openIndexes([IndexShape(type: Cloud.note, parts: [.value(.recordName)])], in: 1, at: 1)
        while try await store.buildIndexes(in: 1, rows: 1_000) {}
        #expect(try store.findings() == [])
        try cloud.meddle("UPDATE records SET flags = 6 WHERE record_no % 400 = 1")
        try cloud.meddle("DELETE FROM index_rows WHERE record_no % 400 = 2")
        let findings = try store.findings()
        #expect(findings.filter { $0.table == "records" }.count == 4)
        #expect(findings.filter { $0.table == "index_rows" }.count == 4)
        #expect(findings.count == 8)
        #expect(try #require(try cloud.engine.open(Self.production)).check { _, _ in } == [])
    }

    private static let production = Tenant(container: Cloud.container, environment: .production)

    @Test("continues after a table that PostgreSQL cannot read")
    func unreadableTable() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.save(["a"])
        try await store.delete("a", trash: .init(deletedBy: nil))
        try cloud.meddle(
            "INSERT INTO change_events SELECT db, 1, zone_no, 2, name, '', 0, 0, 0 FROM tombstones",
            "ALTER TABLE change_events RENAME TO away",
            """
            CREATE FUNCTION broken(number bigint) RETURNS bigint LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$
            """,
            """
            CREATE VIEW change_events AS SELECT db, seq, zone_no, kind, name, client, has_record, told_to,
                broken(checksum) AS checksum FROM away
            """,
            "UPDATE trash SET deleted_at = deleted_at + 7")
        let tables = try store.findings().map { "\($0)" }
        #expect(
            tables.contains {
                $0.hasPrefix("change_events: cannot be read completely: ") && $0.contains("invalid page")
            })
        #expect(tables.contains { $0.hasPrefix("trash: ") && $0.hasSuffix("its checksum is wrong") })
    }
}
