import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosPostgres

/// Behavior where PostgreSQL distributes tables over nodes: here with the extension's name and substitutes for its functions.
@Suite("On a distributed PostgreSQL") struct DistributionTests {
    private let store: TestStore
    private let target: ConnectionTarget
    private let connection: Connection

    init() throws {
        store = try TestStore(.postgres)
        target = try ConnectionTarget(url: store.url ?? "")
        connection = try Connection(target)
        try run("CREATE SCHEMA nephos")
    }

    @discardableResult
    private func run(_ statements: String...) throws -> [String] {
        let rows = try connection.run(statements.map { Call(Statement($0)) })
        return try rows.last?.map { $0.string(0) } ?? []
    }

    private func pretend(fsync: String = "on", synchronousCommit: String = "on") throws {
        try run(
            "SET allow_system_table_mods = on",
            """
            INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
            SELECT 1, 'citus', 10, 11, false, '13'
            """,
            "CREATE TABLE spread (place bigserial, said text)",
            "CREATE TABLE pg_dist_partition (logicalrelid regclass)",
            "CREATE TABLE pg_dist_node (nodeid, nodename, nodeport) "
                + "AS VALUES (1, 'coordinator', 5432), (2, 'worker', 5433)",
            """
            CREATE FUNCTION create_distributed_table(name regclass, by text, colocate_with text DEFAULT NULL) RETURNS void
            LANGUAGE sql AS $$
                INSERT INTO spread (said) VALUES (
                    format('SELECT create_distributed_table(%L, %L%s)', name, by, ', colocate_with => ' || quote_literal(colocate_with)))
            $$
            """,
            """
            CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql AS $$
                INSERT INTO spread (said) VALUES (format('SELECT create_reference_table(%L)', name))
            $$
            """,
            """
            CREATE FUNCTION run_command_on_all_nodes(command text)
            RETURNS TABLE (nodeid int, success boolean, result text) LANGUAGE sql AS $$
                VALUES (1, true, 'on on'), (2, true, '\(fsync) \(synchronousCommit)')
            $$
            """)
    }

    private func refusal(_ tables: TableSet = .server) -> StorageError? {
        var options = PostgresOptions.ofTests
        options.tables = tables
        do throws(StorageError) {
            try PostgresEngine(target, options: options).close()
            return nil
        } catch { return error }
    }

    // MARK: Tables

    @Test("The first start distributes every table, heads before those colocated with them, and later starts none")
    func firstStart() throws {
        try pretend()
        let own = try run("SELECT tablename::text FROM pg_tables WHERE schemaname = 'nephos'")
        for _ in 0..<2 {
            #expect(refusal() == nil)
            let said = try run("SELECT said FROM spread ORDER BY place")
            #expect(said == Distribution.statements(.all(.server)))
        }
        let tables = try run("SELECT tablename::text FROM pg_tables WHERE schemaname = 'nephos'")
        let spread = Distribution.statements(.all(.server)).map { $0.split(separator: "'")[1] }
        #expect(Set(tables).subtracting(own) == Set(spread.map(String.init)))
        let ofDatabases = try run(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = 'nephos' AND column_name = 'db' ORDER BY 1
            """)
        let cut = zip(Distribution.statements(.all(.server)), spread).filter { $0.0.contains("'db'") }
        #expect(cut.map { String($0.1) }.sorted() == ofDatabases)
    }

    @Test("Tables of a later version are distributed if the earlier ones are", arguments: [true, false])
    func laterTables(areSpread: Bool) throws {
        try pretend()
        #expect(refusal() == nil)
        try run("TRUNCATE spread")
        if areSpread { try run("INSERT INTO pg_dist_partition VALUES ('heads')") }
        #expect(refusal(TableCase.tables) == nil)
        let said = try run("SELECT said FROM spread ORDER BY place")
        #expect(
            said.contains("SELECT create_distributed_table('scratch', 'db', colocate_with => 'heads')") == areSpread)
        let later = Migrations.all(TableCase.tables).steps.count - Migrations.all(.server).steps.count
        #expect(said.count == (areSpread ? later : 0))
    }

    @Test("A plain PostgreSQL distributes none")
    func plain() throws {
        #expect(refusal() == nil)
        #expect(try run("SELECT current_setting('plan_cache_mode')") == ["force_generic_plan"])
    }

    @Test("Statements are planned with their values, which determine the node")
    func plans() throws {
        try pretend()
        let answers = try Connection(target).run([Call(Statement("SELECT current_setting('plan_cache_mode')"))])
        #expect(answers.first?.first?.string(0) == "auto")
    }

    @Test("docs/scaling.md shows the statements")
    func page() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try String(contentsOf: root.appending(path: "docs/scaling.md"), encoding: .utf8)
        let shown = page.split(separator: "\n").filter { $0.hasPrefix("SELECT create_") }
        #expect(shown.map { String($0.dropLast()) } == Distribution.statements(.all(.server)))
    }

    // MARK: Durability

    @Test(
        "A node that could lose acknowledged data is named, with the setting to change",
        arguments: [
            ("off", "on", "set fsync = on there"),
            ("on", "off", "ALTER ROLE nephos IN DATABASE "), ("on", "local", " SET synchronous_commit = on"),
        ])
    func careless(fsync: String, synchronousCommit: String, advice: String) throws {
        try pretend(fsync: fsync, synchronousCommit: synchronousCommit)
        guard case .failed(let text) = refusal() else {
            Issue.record("it was opened")
            return
        }
        #expect(text.contains("node worker:5433") && text.contains(advice) && !text.contains("\n"), "\(text)")
    }

    @Test("A node that waits for standbys is accepted, and one that does not respond is not")
    func nodes() throws {
        let session = (role: "nephos", database: "nephos")
        try NodeSettings(name: "a:1", isAnswered: true, answer: "on remote_apply").validate(session)
        for node in [
            NodeSettings(name: "a:1", isAnswered: false, answer: "connection refused"),
            NodeSettings(name: "a:1", isAnswered: true, answer: ""),
        ] {
            #expect { try node.validate(session) } throws: { error in
                if case .unavailable(let text) = error as? StorageError { text.contains("node a:1") } else { false }
            }
        }
    }

    @Test(
        "A damaged page is corrupt; a failure of a node is unavailable",
        arguments: [("XX000", false), ("XX001", true), ("XX002", true)])
    func internalErrors(state: String, isCorrupt: Bool) {
        switch Failure(state: state, message: "").storageError {
        case .corrupt: #expect(isCorrupt)
        case .unavailable: #expect(!isCorrupt)
        default: Issue.record("another failure")
        }
    }
}
