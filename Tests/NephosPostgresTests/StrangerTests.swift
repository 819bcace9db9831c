import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import TestEngines
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

    private func refusal(
        wait: Duration = .seconds(Patience.seconds), note: @escaping @Sendable (String) -> Void = { _ in }
    ) -> String? {
        var options = PostgresOptions.ofTests
        options.migrationWait = wait
        options.note = note
        do throws(StorageError) {
            try PostgresEngine(ConnectionTarget(url: app), options: options).close()
            return nil
        } catch {
            if case .failed(let text) = error { return text }
            return "\(error)"
        }
    }

    // MARK: Owners

    @Test("Operators that another role has put into our schema are not called before it is known whose they are")
    func foreignOperators() throws {
        // PostgreSQL prefers them to its own, which fit the names and numbers of its tables less exactly.
        try server.sql(
            """
            CREATE SCHEMA nephos;
            GRANT USAGE ON SCHEMA nephos TO PUBLIC;
            CREATE FUNCTION nephos.joined(name, name) RETURNS text LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$;
            CREATE OPERATOR nephos.|| (LEFTARG = name, RIGHTARG = name, FUNCTION = nephos.joined);
            CREATE FUNCTION nephos.same(oid, int) RETURNS boolean LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$;
            CREATE OPERATOR nephos.= (LEFTARG = oid, RIGHTARG = int, FUNCTION = nephos.same);
            """, in: stranger)
        let text = try #require(refusal())
        #expect(text.contains("belongs to the role 'mallory'") && !text.contains("called as"), "\(text)")
    }

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
            ("the type trap", "CREATE DOMAIN nephos.trap AS int[]"),
            (
                "the text search configuration trap",
                "CREATE TEXT SEARCH CONFIGURATION nephos.trap (COPY = pg_catalog.simple)"
            ),
            ("the dictionary trap", "CREATE TEXT SEARCH DICTIONARY nephos.trap (TEMPLATE = pg_catalog.simple)"),
            (
                "the statistics trap",
                "CREATE SCHEMA own; CREATE TABLE own.t (a int, b int); CREATE STATISTICS nephos.trap ON a, b FROM own.t"
            ),
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

    @Test(
        "A role that may create triggers on our tables prevents the start, and the printed command takes the right away"
    )
    func triggers() throws {
        #expect(refusal() == nil)
        try server.sql(
            #"DO $$ BEGIN CREATE ROLE "Mal lory"; EXCEPTION WHEN duplicate_object THEN NULL; END $$"#, in: url)
        try server.sql(#"GRANT TRIGGER ON nephos.records TO "Mal lory""#, in: url)
        let text = try #require(refusal())
        #expect(text.contains("the role 'Mal lory' may create triggers in the schema 'nephos'"), "\(text)")
        let command = try #require(text.firstMatch(of: #/REVOKE .*/#), "\(text)")
        try server.sql(String(command.output), in: url)
        #expect(refusal() == nil)
    }

    @Test(
        "Objects of a superuser are ours, and of the schema's owner if our role is its member; those of other groups are not"
    )
    func groups() throws {
        #expect(refusal() == nil)
        try server.sql("ALTER TABLE nephos.records OWNER TO friends", in: url)
        #expect(refusal()?.contains("records") == true)
        // A role can be made a member of one that can do less.
        try server.sql("GRANT friends TO app", in: url)
        #expect(refusal()?.contains("'friends'") == true)
        try server.sql("ALTER SCHEMA nephos OWNER TO friends", in: url)
        #expect(refusal() == nil)
        try server.sql("REVOKE friends FROM app; GRANT app TO friends", in: url)
        #expect(refusal()?.contains("'friends'") == true)
        try server.sql("REVOKE app FROM friends; ALTER SCHEMA nephos OWNER TO app", in: url)
        #expect(refusal()?.contains("records") == true)
        try server.sql("ALTER TABLE nephos.records OWNER TO nephos", in: url)
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

    @Test("A step for whose table it has to wait is tried again while others work, and given up after a time")
    func delayedStep() throws {
        #expect(refusal() == nil)
        try server.sql("GRANT USAGE ON SCHEMA nephos TO mallory; GRANT SELECT ON nephos.records TO mallory", in: url)
        let step = Migration(identifier: "999 test", sql: "ALTER TABLE records ADD COLUMN test bigint")
        let migrations = Migrations(steps: Migrations.all(.server).steps + [step])
        let own = try Connection(ConnectionTarget(url: app))
        let reader = Transaction(try Connection(ConnectionTarget(url: stranger)), .beginReading)
        _ = try reader.run(Statement("SELECT count(*) FROM nephos.records"))

        let error = #expect(throws: StorageError.self) {
            try migrations.run(on: own, schema: "nephos", MigrationWait(most: .milliseconds(500)) { _ in })
        }
        guard case .failed(let text) = try #require(error) else { throw StorageError.busy }
        #expect(text.contains("role 'mallory'"), "\(text)")
        #expect(text.contains("REVOKE CONNECT ON DATABASE") && text.contains("FROM PUBLIC"), "\(text)")
        // Whoever needs the table does not wait behind a change that waits.
        #expect(try server.sql("SELECT count(*) FROM nephos.records", in: url) == "0\n")

        let (server, url) = (server, url)
        let notes = Mutex<[String]>([])
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'mallory'"
        try migrations.run(
            on: own, schema: "nephos",
            MigrationWait(most: .seconds(Patience.seconds)) { note in
                notes.withLock { $0.append(note) }
                _ = try? server.sql(end, in: url)
            })
        #expect(notes.withLock { $0.count } == 1)
        #expect(try own.run([Call(Statement("SELECT count(test) FROM records"))]).first?.first?.int(0) == 0)
        withExtendedLifetime(reader) {}
    }

    // MARK: Notifications

    @Test("A commit takes effect, and its connection remains usable, even if PostgreSQL accepts no notification")
    func refusedNotifications() throws {
        let engine = try PostgresEngine(ConnectionTarget(url: app), options: .ofTests)
        defer { engine.close() }
        try Cloud.create(in: engine)
        let store = try #require(try engine.open(Cloud.tenant) as? PostgresTenantStore)
        // As when another role has filled PostgreSQL's queue.
        try server.sql("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC", in: url)
        try engine.pool.withTransaction { transaction in
            transaction.later(Statement("CREATE TABLE witness (a bigint)"))
            try Notification.send(
                [[UInt8](repeating: 1, count: DeviceRow.idBytes)], of: store.number, on: store.channel,
                sealedBy: engine.secretKeys, transaction)
        }
        #expect(try engine.pool.run(Statement("SELECT count(*) FROM witness")).first?.int(0) == 0)
        #expect(engine.pool.droppedHints.load(ordering: .relaxed) == 1)
    }

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

@Suite("Received notifications") struct ReceivedNotificationTests {
    private let received = ReceivedNotifications()
    private let start: Int64 = 1_700_000_000_000

    private func payload(sentAt: Int64) throws -> String {
        let device = [UInt8](repeating: 1, count: DeviceRow.idBytes)
        let bytes = Notification(tenant: 1, devices: [device], sentAt: sentAt).bytes
        return Base64.text(try #require(try SecretKeys.ofTests.sealed(message: bytes)))
    }

    private func isAccepted(_ payload: String, at now: Int64) -> Bool {
        received.notification(payload, .ofTests, now: now) != nil
    }

    @Test("One that is a minute late, or of a clock that is as far ahead, is accepted once; a later one is not")
    func late() throws {
        for sentAt in [start - 60_000, start, start + 60_000] {
            let payload = try payload(sentAt: sentAt)
            #expect(isAccepted(payload, at: start))
            #expect(!isAccepted(payload, at: start))
        }
        #expect(!isAccepted(try payload(sentAt: start - 60_001), at: start))
        #expect(!isAccepted(try payload(sentAt: start + 60_001), at: start))
    }

    @Test("None is accepted again as long as it is not late, whatever came between")
    func rotation() throws {
        #expect(isAccepted(try payload(sentAt: start), at: start))
        let ahead = try payload(sentAt: start + 160_000)
        #expect(isAccepted(ahead, at: start + 100_000))
        #expect(isAccepted(try payload(sentAt: start + 130_000), at: start + 130_000))
        #expect(!isAccepted(ahead, at: start + 220_000))
    }

    @Test("Old ones are forgotten, even if the clock was set back meanwhile") func forgotten() throws {
        #expect(isAccepted(try payload(sentAt: start + 86_400_000), at: start + 86_400_000))
        for minute in 0..<60 {
            let now = start + Int64(minute) * 60_000
            #expect(isAccepted(try payload(sentAt: now), at: now))
        }
        #expect(received.count < 10)
    }
}
