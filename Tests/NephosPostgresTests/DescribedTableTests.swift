import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

/// docs/decisions/0020
@Suite("Described tables") struct DescribedTableTests {
    @Test(arguments: TableCase.all)
    func keeps(_ promise: TableCase) async throws { try await promise.check(try Tables(TableCase.tables)) }

    @Test("A migration step that creates a table stays as it was released")
    func steps() {
        #expect(
            ScratchRow.table.steps.map(TableSQL.createStatements).joined() == """
                CREATE TABLE scratch (
                    db bigint NOT NULL,
                    id bytea NOT NULL,
                    user_id bytea NOT NULL,
                    label bytea NOT NULL,
                    kind bigint NOT NULL,
                    is_open bigint NOT NULL,
                    due_at bigint NOT NULL,
                    note text NOT NULL,
                    content bytea NOT NULL,
                    secret bytea NOT NULL,
                    checksum bigint NOT NULL,
                    PRIMARY KEY (db, id)
                );
                CREATE UNIQUE INDEX scratch_by_label ON scratch (db, label);
                CREATE INDEX scratch_by_kind ON scratch ((db >> 40), kind, due_at);
                CREATE INDEX scratch_by_user ON scratch ((db >> 40), user_id);
                ALTER TABLE scratch ALTER COLUMN db SET (n_distinct = 1);

                """)
        #expect(ScratchNote.table.steps.map(TableSQL.createStatements).joined().contains("PRIMARY KEY (tenant, name)"))
    }
}
