import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosPostgres

/// docs/running.md, "Updates one by one": all steps that a database lacks are one transaction.
@Suite("A migration that is interrupted") struct DyingMigrationTests {
    /// With tables that no server knows, one of which has one step more than its first version.
    private static let tables = TableSet(adding: [
        ScratchPart.self, ScratchRow.self, LaterScratchNote.self, ScratchShelf.self,
    ])

    private let store: TestStore
    private let target: ConnectionTarget
    private let connection: Connection

    /// The database in `saved-store.sql`, where the session that migrates tables is terminated just before the statement whose
    /// number is in `trap.moment`. Sequences are not reset when a transaction is rolled back.
    init() throws {
        store = try TestStore(.postgres)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "saved-store.sql").path
        try store.database?.run(file: file)
        try store.database?.sql(Self.trap)
        target = try ConnectionTarget(url: store.url ?? "")
        connection = try Connection(target)
    }

    private static let trap = """
        CREATE SCHEMA trap;
        CREATE SEQUENCE trap.count;
        CREATE TABLE trap.moment (number bigint NOT NULL);
        INSERT INTO trap.moment VALUES (0);
        CREATE FUNCTION trap.strike() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('trap.count') = (SELECT number FROM trap.moment) THEN
                PERFORM pg_terminate_backend(pg_backend_pid());
                PERFORM pg_sleep(3600);
            END IF;
        END $$;
        CREATE FUNCTION trap.definition() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            IF tg_tag <> 'CREATE TRIGGER' THEN PERFORM trap.strike(); END IF;
        END $$;
        CREATE FUNCTION trap.change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            PERFORM trap.strike();
            RETURN NULL;
        END $$;
        CREATE FUNCTION trap.watch(name text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
            EXECUTE 'CREATE TRIGGER change BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ' || name ||
                ' FOR EACH STATEMENT EXECUTE FUNCTION trap.change()';
        END $$;
        CREATE FUNCTION trap.table_made() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            PERFORM trap.watch(object_identity) FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table';
        END $$;
        DO $$ BEGIN
            PERFORM trap.watch('nephos.' || tablename) FROM pg_tables WHERE schemaname = 'nephos';
        END $$;
        CREATE CONSTRAINT TRIGGER committing AFTER INSERT ON nephos.migrations DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION trap.change();
        CREATE EVENT TRIGGER definition ON ddl_command_start EXECUTE FUNCTION trap.definition();
        CREATE EVENT TRIGGER table_made ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
            EXECUTE FUNCTION trap.table_made();
        """

    /// The whole structure, to detect anything left by a step: steps, tables, their columns and indexes.
    private static let shape = """
        SELECT string_agg(x, ', ' ORDER BY x) FROM (
            SELECT 'step ' || identifier AS x FROM nephos.migrations
            UNION ALL
            SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
            FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
            WHERE c.relnamespace = 'nephos'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
        ) AS all_of_it
        """

    private func answer(_ sql: String) throws -> String {
        try connection.run([Call(Statement(sql))]).first?.first?.string(0) ?? ""
    }

    private func open() throws -> PostgresEngine {
        var options = PostgresOptions.ofTests
        (options.tables, options.connections) = (Self.tables, 2)
        return try PostgresEngine(target, options: options)
    }

    /// Terminates the session of the next migration before its statement with this number, counted from 1; 0 for none.
    private func strike(at moment: Int) throws {
        _ = try connection.run([
            Call(Statement("UPDATE trap.moment SET number = \(moment)")),
            Call(Statement("SELECT setval('trap.count', 1, false)")),
        ])
    }

    @Test("Wherever its session ends, nothing of any step is left, and the next start performs all of them")
    func dies() throws {
        let before = try answer(Self.shape)
        let done = try answer("SELECT string_agg(identifier, ',') FROM nephos.migrations").split(separator: ",")
        let steps = Migrations.all(Self.tables).steps.filter { !done.contains($0.identifier[...]) }
        // ANALYZE, which is between an insertion and TRUNCATE, is not logged.
        let statements = steps.flatMap { $0.sql.split(separator: ";\n") }.count { !$0.contains("ANALYZE ") }
        // The schema, the list of steps, and each step's row in it, once when it is written and once when it is committed.
        let moments = 2 + statements + 2 * steps.count
        for moment in 1...moments {
            try strike(at: moment)
            #expect(throws: StorageError.self, "statement \(moment) of \(moments)") { try open().close() }
            try #require(try answer(Self.shape) == before, "after statement \(moment) of \(moments)")
        }
        try strike(at: moments + 1)
        let engine = try open()
        defer { engine.close() }
        #expect(try answer("SELECT last_value::text FROM trap.count") == "\(moments)")
        #expect(try answer(Self.shape) != before)
        #expect(try engine.checkDirectory() == [])
        for container in try engine.containers() {
            for environment in Environment.allCases {
                let tenant = try #require(try engine.open(Tenant(container: container.id, environment: environment)))
                #expect(try tenant.check { _, _ in } == [])
            }
        }
    }
}
