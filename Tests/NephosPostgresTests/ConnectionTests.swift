import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import Testing

@testable import NephosPostgres

/// The connection between the engine and its database, and its error messages.
@Suite("Connecting to PostgreSQL", .serialized, .ownPostgres) struct ConnectionTests {
    private let server: PostgresServer
    private let url: String

    init() throws {
        server = try #require(OwnPostgres.server)
        url = try server.createDatabase()
    }

    /// The reason why an engine cannot be opened; nil when it can.
    private func refusal(_ url: String, schema: String = "nephos") -> StorageError? {
        do throws(StorageError) {
            try PostgresEngine(ConnectionTarget(url: url, schema: schema), options: .ofTests).close()
            return nil
        } catch {
            return error
        }
    }

    /// The text of a failure of this type.
    private func text(_ error: StorageError?) -> String {
        switch error {
        case .unavailable(let text), .failed(let text), .newer(let text): text
        default: error.map { "\($0)" } ?? "nothing was refused"
        }
    }

    private func user(_ name: String, _ options: String) throws -> String {
        try server.sql("CREATE ROLE \(name) LOGIN \(options)", in: url)
        return url.replacing("nephos@", with: "\(name)@")
    }

    // MARK: Addresses and passwords

    @Test(
        "An address that libpq cannot parse is rejected, and not repeated",
        arguments: [
            "", "mysql://host/database", "host=db.example.org", "postgres://u:secret@host/database?colour=secret",
            "postgres://u:secret@host/%zz", "postgres://u:secret@[::1/database",
        ])
    func wrongAddress(_ url: String) {
        guard case .failed(let text) = refusal(url) else {
            Issue.record("no failure")
            return
        }
        #expect(text.contains("postgres://USER@HOST:PORT/DATABASE") && !text.contains("secret"))
    }

    @Test("A wrong password, a missing database and a missing user are reported as such, without the password")
    func refusedSessions() throws {
        let rules = "VALUES ('local all guarded scram-sha-256'), ('local all all trust')"
        try server.sql(
            "DO $$ BEGIN EXECUTE format('COPY (\(rules.replacing("'", with: "''"))) TO %L', current_setting('hba_file')); "
                + "PERFORM pg_reload_conf(); END $$", in: url)
        let guarded = try user("guarded", "SUPERUSER PASSWORD 'right'")
        #expect(refusal(guarded.replacing("guarded@", with: "guarded:right@")) == nil)
        for (url, part) in [
            (
                guarded.replacing("guarded@", with: "guarded:secret@"),
                "password authentication failed for user \"guarded\""
            ),
            (guarded, "no password supplied"),
            (url.replacing("nephos@", with: "nobody:secret@"), "role \"nobody\" does not exist"),
            (url.replacing("nephos@/test", with: "nephos:secret@/no"), "database \"no"),
            ("postgres://u:secret@/test?host=/nowhere", "/nowhere"),
        ] {
            let error = refusal(url)
            guard case .unavailable(let text) = error else {
                Issue.record("\(url): \(error.map { "\($0)" } ?? "opened")")
                continue
            }
            #expect(text.contains(part) && !text.contains("secret"), "\(text)")
        }
    }

    // MARK: Permissions and unsuitable servers

    @Test("A user who cannot create the tables gets the missing permission named; once they exist, it is not needed")
    func missingPermission() throws {
        try server.sql("REVOKE CREATE ON DATABASE \(url.database) FROM PUBLIC", in: url)
        let limited = try user("limited", "")
        #expect(text(refusal(limited)).contains("grant the user CREATE on the database"))
        #expect(refusal(url) == nil)
        #expect(text(refusal(limited)).contains("grant it USAGE ON SCHEMA nephos"), "the tables are another's")
        try server.sql(
            """
            GRANT USAGE ON SCHEMA nephos TO limited;
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA nephos TO limited
            """, in: url)
        #expect(refusal(limited) == nil)
    }

    @Test("A read-only database, and one of another encoding, are not opened")
    func unfitDatabases() throws {
        try server.sql("ALTER DATABASE \(url.database) SET default_transaction_read_only = on", in: url)
        #expect(refusal(url) == .readOnly)
        try server.sql(
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", in: server.url("postgres"))
        #expect(text(refusal(server.url("latin"))).contains("createdb --encoding=UTF8"))
    }

    @Test("A server that could lose acknowledged data is not used")
    func withoutFsync() throws {
        let careless = try PostgresServer(settings: ["fsync=off"])
        #expect(text(refusal(try careless.createDatabase())).contains("set fsync = on"))
    }

    @Test("Sessions have synchronous_commit and fsync on, whatever the database's default; a stricter setting stays")
    func durability() throws {
        func settings() throws -> [String] {
            let asked = Statement("SELECT current_setting('synchronous_commit'), current_setting('fsync')")
            let row = try #require(try Connection(ConnectionTarget(url: url)).run([Call(asked)]).first?.first)
            return [row.string(0), row.string(1)]
        }
        #expect(try settings() == ["on", "on"])
        try server.sql("ALTER DATABASE \(url.database) SET synchronous_commit = off", in: url)
        #expect(try settings() == ["on", "on"])
        try server.sql("ALTER DATABASE \(url.database) SET synchronous_commit = remote_apply", in: url)
        #expect(try settings() == ["remote_apply", "on"])
    }

    @Test("The clock difference is the database's time minus ours")
    func clocks() throws {
        let engine = try PostgresEngine(ConnectionTarget(url: url), options: .ofTests)
        defer { engine.close() }
        let server = try #require(
            Int64(try server.sql("SELECT (extract(epoch FROM now()) * 1000000)::bigint", in: url).dropLast()))
        // With a stopped clock, all time that passes meanwhile counts for the database.
        let ahead = try #require(try engine.clockDifference { server - 60_000_000 })
        #expect((60_000_000..<90_000_000).contains(ahead), "\(ahead)")
        let behind = try #require(try engine.clockDifference { server + 60_000_000 })
        #expect((-60_000_000 ..< -30_000_000).contains(behind), "\(behind)")
    }

    // MARK: Versions

    @Test("A running server continues after a newer one has migrated; an old one that starts then must be updated")
    func newerStore() async throws {
        let engine = try PostgresEngine(ConnectionTarget(url: url), options: .ofTests)
        defer { engine.close() }
        try Cloud.create(in: engine)
        let newer = Migrations(
            steps: Migrations.released + [
                Migration(
                    identifier: "9 future", sql: "ALTER TABLE records ADD COLUMN future bigint NOT NULL DEFAULT 0")
            ])
        try newer.run(
            on: Connection(ConnectionTarget(url: url)), schema: "nephos",
            MigrationWait(most: .seconds(Patience.seconds)) { _ in })
        let store = try #require(try engine.open(Cloud.tenant) as? PostgresTenantStore)
        try await store.save(["after"])
        #expect(try store.record("after") != nil)
        #expect(try store.findings().isEmpty)
        guard case .newer(let text) = refusal(url) else {
            Issue.record("an older server started")
            return
        }
        #expect(text.contains("9 future") && text.contains("update the server"))
    }

    @Test("However many servers start together, the tables are created once")
    func manyFirstStarts() throws {
        let failures = Mutex<[String]>([])
        let url = url
        try inThreads(8) { _ in
            do {
                try PostgresEngine(ConnectionTarget(url: url), options: .ofTests).close()
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        let steps = try server.sql("SELECT count(*) FROM nephos.migrations", in: url)
        #expect(steps == "\(Migrations.all(.server).steps.count)\n")
    }

    // MARK: Outages

    @Test("An outage is reported as such and soon, loses nothing, and ends by itself")
    func outage() async throws {
        let engine = try PostgresEngine(ConnectionTarget(url: url), options: .ofTests)
        defer { engine.close() }
        try Cloud.create(in: engine)
        let store = try #require(try engine.open(Cloud.tenant) as? PostgresTenantStore)
        try await store.save(["before"])

        try server.stop(mode: "immediate")
        let start = ContinuousClock.now
        for _ in 0..<20 {
            #expect(await isUnavailable { _ = try store.record("before") })
            #expect(await isUnavailable { try await store.save(["during"]) })
            #expect(await isUnavailable { _ = try engine.containers() })
        }
        // A new connection may take 5 s, and a free one 10 s.
        #expect(ContinuousClock.now - start < .seconds(Patience.seconds), "nobody waits at a closed door")

        try server.start()
        #expect(
            Deadline().waits { (try? store.record("before")) != nil },
            "it comes back without a restart of ours")
        try await store.save(["after"])
        #expect(try store.record("before") != nil && store.record("after") != nil && store.record("during") == nil)
        #expect(try store.findings().isEmpty)
    }

    private func isUnavailable(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch StorageError.unavailable {
            return true
        } catch {
            Issue.record("\(error)")
            return false
        }
    }

    @Test("Idle sessions that the database ended cause no request to fail")
    func endedSessions() async throws {
        let engine = try PostgresEngine(ConnectionTarget(url: url), options: .ofTests)
        defer { engine.close() }
        try Cloud.create(in: engine)
        let store = try #require(try engine.open(Cloud.tenant) as? PostgresTenantStore)
        for round in 0..<5 {
            let name = Name("round \(round)")
            try await store.save([name])
            try server.sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = 'nephos' AND datname = current_database()
                """, in: url)
            #expect(try store.record(name) != nil)
        }
    }

    @Test("A server without a free session is reported as unavailable, and used once it has one")
    func tooManySessions() throws {
        let few = try user("few", "SUPERUSER")
        #expect(refusal(few) == nil)
        try server.sql("ALTER ROLE few NOSUPERUSER CONNECTION LIMIT 1", in: url)
        let held = try Connection(ConnectionTarget(url: few))
        guard case .unavailable(let text) = refusal(few) else {
            Issue.record("opened")
            return
        }
        #expect(text.contains("too many connections"), "\(text)")
        withExtendedLifetime(held) {}
    }
}

/// Runs a PostgreSQL server for a suite that stops and starts it.
struct OwnPostgres: SuiteTrait, TestScoping {
    @TaskLocal static var server: PostgresServer?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$server.withValue(PostgresServer()) { try await body() }
    }
}

extension Trait where Self == OwnPostgres {
    static var ownPostgres: Self { Self() }
}

extension String {
    /// The name in the URL of a test's database.
    /// The name of the database in an address of ``PostgresServer``.
    var database: String { String(drop { $0 != "@" }.dropFirst(2).prefix { $0 != "?" }) }
}
