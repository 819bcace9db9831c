import NephosStorage
import StorageConformance
import Testing

@testable import NephosSQLite

/// docs/decisions/0020
@Suite("Described tables") struct DescribedTableTests {
    @Test(arguments: TableCase.all)
    func keeps(_ promise: TableCase) async throws { try await promise.check(try Tables(TableCase.tables)) }

    @Test("A migration step that creates a table stays as it was released")
    func steps() {
        #expect(ScratchRow.table.step == "table scratch 1")
        #expect(
            ScratchRow.table.steps.map(TableSQL.createStatements).joined() == """
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

    @Test("A step of an unknown table does not indicate a newer server; an unknown step of a known table does")
    func unknownSteps() {
        let known = ["1 catalog", "table scratch 1"]
        #expect(!Table.isNewer("table wonders 1", than: known))
        #expect(Table.isNewer("table scratch 2", than: known))
        #expect(Table.isNewer("9 wonders", than: known))
        #expect(Table.isNewer("table of wonders 9", than: known))
    }
}
