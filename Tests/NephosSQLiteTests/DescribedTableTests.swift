import NephosStorage
import StorageConformance
import Testing

@testable import NephosSQLite

/// docs/decisions/0020
@Suite("Tables that are described") struct DescribedTableTests {
    @Test(arguments: TableCase.all)
    func keeps(_ promise: TableCase) async throws { try await promise.check(try Tables(TableCase.tables)) }

    @Test("A step that makes a table stays as it was released")
    func steps() {
        #expect(ScratchRow.table.step == "table scratch 1")
        #expect(
            ScratchRow.table.steps.map(TableSQL.making).joined() == """
                CREATE TABLE scratch (
                    db INTEGER NOT NULL,
                    id BLOB NOT NULL,
                    user_id BLOB NOT NULL,
                    label TEXT NOT NULL,
                    kind INTEGER NOT NULL,
                    is_open INTEGER NOT NULL,
                    due_at INTEGER NOT NULL,
                    note TEXT NOT NULL,
                    content TEXT NOT NULL,
                    secret BLOB NOT NULL,
                    checksum INTEGER NOT NULL,
                    PRIMARY KEY (db, id)
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX scratch_by_label ON scratch (db, label);
                CREATE INDEX scratch_by_kind ON scratch (kind, due_at);
                CREATE INDEX scratch_by_user ON scratch (user_id);
                """)
    }

    @Test("A step of a table that is not known is none of a newer server; one of a known table is")
    func unknownSteps() {
        let known = ["1 catalog", "table scratch 1"]
        #expect(!Table.isNewer("table wonders 1", than: known))
        #expect(Table.isNewer("table scratch 2", than: known))
        #expect(Table.isNewer("9 wonders", than: known))
        #expect(Table.isNewer("table of wonders 9", than: known))
    }
}
