import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import Testing

@testable import NephosPostgres

/// docs/operating.md, "PostgreSQL instead of the folder": roles that may connect to the database, and have no other rights.
@Suite("Other roles of the database", .serialized, .ownPostgres) struct StrangerTests {
    private let server: PostgresServer
    /// The address for the role `app`, which owns nothing yet but may create schemas, and for one that may only connect.
    private let app, stranger: String
    private let url: String

    init() throws {
        server = try #require(OwnPostgres.server)
        url = try server.createDatabase()
        for role in ["app", "mallory", "friends"] {
            try server.sql(
                "DO $$ BEGIN CREATE ROLE \(role) LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$", in: url)
        }
        try server.sql("GRANT CREATE ON DATABASE \(url.database) TO app, mallory, friends", in: url)
        app = url.replacing("nephos@", with: "app@")
        stranger = url.replacing("nephos@", with: "mallory@")
    }

    private func refusal(wait: Duration = .seconds(60), note: @escaping @Sendable (String) -> Void = { _ in })
        -> String?
    {
        var options = PostgresOptions.ofTests
        options.migrationWait = wait
        options.note = note
        do throws(StorageError) {
            try PostgresEngine(ConnectionTarget(url: app), options: options).close()
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Owners

    @Test("A schema that another role has created is not used, and the role is named", arguments: [true, false])
    func foreignSchema(isComplete: Bool) throws {
        try server.sql("CREATE SCHEMA nephos", in: stranger)
        if isComplete {
            try server.sql(
                "CREATE TABLE nephos.migrations (identifier text); GRANT ALL ON SCHEMA nephos TO app; "
                    + "GRANT ALL ON ALL TABLES IN SCHEMA nephos TO app", in: stranger)
        }
        let text = try #require(refusal())
        #expect(text.contains("'mallory'") && text.contains("in the schema 'nephos'"), "\(text)")
    }

    @Test(
        "An object of another role in our schema prevents the start, and is named with its owner",
        arguments: [
            ("the table or index trap", "CREATE TABLE nephos.trap (a int)"),
            (
                "the function now",
                "CREATE FUNCTION nephos.now(int) RETURNS int LANGUAGE sql AS 'SELECT 1'"
            ),
            ("the operator =", "CREATE OPERATOR nephos.= (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)"),
            ("the type trap", "CREATE DOMAIN nephos.trap AS int"),
        ])
    func foreignObject(_ object: String, _ sql: String) throws {
        #expect(refusal() == nil)
        try server.sql("GRANT USAGE, CREATE ON SCHEMA nephos TO mallory", in: app)
        #expect(refusal()?.contains("the role 'mallory' may create objects in the schema 'nephos'") == true)
        try server.sql(sql, in: stranger)
        try server.sql("REVOKE CREATE ON SCHEMA nephos FROM mallory", in: app)
        let text = try #require(refusal())
        #expect(text.contains(object) && text.contains("belongs to the role 'mallory'"), "\(text)")
        #expect(text.contains("'app'"))
    }

    @Test("Objects of a role of which ours is a member, and of a superuser, are ours; those of its own members are not")
    func groups() throws {
        #expect(refusal() == nil)
        try server.sql("ALTER TABLE nephos.records OWNER TO friends", in: url)
        #expect(refusal()?.contains("records") == true)
        try server.sql("GRANT friends TO app", in: url)
        #expect(refusal() == nil)
        try server.sql("REVOKE friends FROM app; GRANT app TO friends", in: url)
        #expect(refusal()?.contains("'friends'") == true)
        try server.sql("REVOKE app FROM friends; ALTER TABLE nephos.records OWNER TO nephos", in: url)
        try server.sql("GRANT ALL ON nephos.records TO app", in: url)
        #expect(refusal() == nil)
    }

    @Test("What others create in public is never called, not even before a session has its settings")
    func searchPath() throws {
        try server.sql("GRANT CREATE ON SCHEMA public TO mallory", in: url)
        try server.sql(
            """
            CREATE TABLE public.called (who text);
            GRANT INSERT ON public.called TO PUBLIC;
            CREATE FUNCTION public.trap(text, text) RETURNS boolean LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO public.called VALUES (current_user); RETURN true; END $$;
            CREATE OPERATOR public.<> (LEFTARG = text, RIGHTARG = text, FUNCTION = public.trap);
            CREATE FUNCTION public.current_setting(varchar) RETURNS text LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO public.called VALUES (current_user); RETURN 'on'; END $$;
            """, in: stranger)
        // As the role would have it: all of public first.
        try server.sql(
            "ALTER ROLE app IN DATABASE \(url.database) SET search_path = public, pg_catalog", in: url)
        let engine = try PostgresEngine(ConnectionTarget(url: app), options: .ofTests)
        defer { engine.close() }
        try Cloud.create(in: engine)
        #expect(try server.sql("SELECT count(*) FROM public.called", in: url) == "0\n")
        let path = try #require(
            try Connection(ConnectionTarget(url: app)).run([Call(Statement("SHOW search_path"))]).first?.first?.string(
                0))
        #expect(path == "nephos, pg_temp")
    }

    // MARK: Migrations

    @Test("A start that waits for a migration says so and for whom, continues after it, and gives up after a time")
    func waiting() throws {
        let other = try Connection(ConnectionTarget(url: stranger))
        let held = Transaction(other, .begin)
        _ = try held.run(Statement("SELECT pg_advisory_xact_lock($1)::text"), MigrationWait.lockNumber)
        let notes = Mutex<[String]>([])
        let text = try #require(refusal(wait: .milliseconds(200)) { note in notes.withLock { $0.append(note) } })
        #expect(text.contains("role 'mallory'") && text.contains("REVOKE CONNECT"), "\(text)")
        #expect(
            notes.withLock { $0.count } == 1 && notes.withLock { $0.first?.hasPrefix("Waiting for process ") } == true)
        // It continues as soon as the other one has ended.
        let (server, url) = (server, url)
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'mallory'"
        #expect(refusal { _ in _ = try? server.sql(end, in: url) } == nil)
        withExtendedLifetime(held) {}
    }

    // MARK: Notifications

    @Test(
        "Others learn no device from notifications; forged and repeated ones cause no work, and genuine ones arrive after them"
    )
    func notifications() async throws {
        let engine = try PostgresEngine(ConnectionTarget(url: app), options: .ofTests)
        defer { engine.close() }
        try Cloud.create(in: engine)
        let store = try #require(try engine.open(Cloud.tenant) as? PostgresTenantStore)
        let heard = Mutex<[String]>([])
        let received = Mutex<[StorageNews]>([])
        let ear = NewsConnection(try ConnectionTarget(url: stranger)) { payload in heard.withLock { $0.append(payload) }
        }
        defer { ear.close() }
        // Another process of ours, which gets its news by notifications only.
        let listener = try PostgresEngine(ConnectionTarget(url: app), options: .ofTests)
        defer { listener.close() }
        _ = try listener.open(Cloud.tenant)
        listener.listen { news in received.withLock { $0.append(news) } }

        func send(_ device: UInt8) throws {
            let id = [UInt8](repeating: device, count: DeviceRow.idBytes)
            try engine.pool.withTransaction { transaction in
                try Notification.send(
                    [id], of: store.number, on: store.channel, sealedBy: engine.secretKeys, transaction)
            }
        }
        func news(of device: UInt8) -> Int {
            let id = [UInt8](repeating: device, count: DeviceRow.idBytes)
            return received.withLock { $0.filter { $0 == .deliveries(Cloud.tenant, to: [id]) }.count }
        }
        // Both listen once they have got one.
        #expect(
            try eventually {
                try send(1)
                return news(of: 1) > 0 && heard.withLock { !$0.isEmpty }
            })
        try send(2)
        #expect(eventually { news(of: 2) == 1 })
        let payloads = heard.withLock { $0 }
        let device = Hexadecimal.text([UInt8](repeating: 1, count: DeviceRow.idBytes))
        #expect(!payloads.isEmpty && payloads.allSatisfy { !$0.contains(device) && !$0.contains(" ") })
        #expect(Set(payloads).count == payloads.count, "the same content looks different each time")

        let before = received.withLock { $0.count }
        let genuine = payloads.last ?? ""
        try server.sql(
            """
            DO $$ BEGIN
                FOR n IN 1..2000 LOOP
                    PERFORM pg_notify('nephos_nephos', 'd \(store.number.value) ' || repeat(lpad(n::text, 32, '0'), 3));
                    PERFORM pg_notify('nephos_nephos', overlay('\(genuine)' PLACING lpad(to_hex(n), 4, 'A') FROM 60));
                END LOOP;
            END $$
            """, in: stranger)
        for _ in 0..<20 { try server.sql("SELECT pg_notify('nephos_nephos', '\(genuine)')", in: stranger) }
        try send(3)
        #expect(eventually { news(of: 3) == 1 })
        #expect(received.withLock { $0.count } == before + 1, "4,020 forged or repeated ones caused nothing")
    }

    // MARK: What operators do

    @Test("After the lines of the documentation no other role can connect") func revoked() throws {
        let name = url.database
        try server.sql(
            "REVOKE CONNECT, TEMPORARY ON DATABASE \(name) FROM PUBLIC; GRANT CONNECT ON DATABASE \(name) TO app",
            in: url)
        try server.sql("REVOKE ALL ON DATABASE \(name) FROM mallory", in: url)
        #expect(refusal() == nil)
        #expect(throws: StorageError.self) { _ = try Connection(ConnectionTarget(url: stranger)) }
    }
}
