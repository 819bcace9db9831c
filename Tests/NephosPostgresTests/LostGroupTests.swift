import CloudKitWire
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import Testing

@testable import NephosPostgres

private struct Refusal: Error, Equatable {}

/// What happens to commits that shared a lost transaction (docs/decisions/0005, "Groups by database").
@Suite("Write groups that fail") struct LostGroupTests {
    private let cloud: Cloud
    private let store: PostgresTenantStore

    init() throws {
        cloud = try Cloud()
        store = try cloud.store()
    }

    @Test("No request is rejected because of rows from an uncommitted transaction")
    func refusals() async throws {
        // The group fails, and then the first commit that is repeated alone.
        try cloud.meddle(
            "CREATE SEQUENCE tries",
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF;
                RETURN NEW;
            END $$
            """, "CREATE TRIGGER refuse BEFORE UPDATE ON heads FOR EACH ROW EXECUTE FUNCTION refuse()")
        // A group accepts commits for milliseconds, which the second commit may miss.
        var sawUncommitted = false
        for round in 0..<50 where !sawUncommitted {
            try cloud.meddle("ALTER SEQUENCE tries RESTART")
            let (first, second) = (Name("a \(round)"), Name("b \(round)"))
            let refusals = Atomic<Int>(0)
            let isFirstTry = Atomic<Bool>(true)
            let store = store
            let saved = BackgroundTask { (done: @escaping @Sendable (Result<Void, any Error>) -> Void) in
                @Sendable func addSecond() {
                    store.commit(Notes.reading([second, first])) { reading in
                        guard case .absent = reading.records[1] else {
                            refusals.add(1, ordering: .relaxed)
                            throw Refusal()
                        }
                        return .write(try Notes.save([second], from: reading), ())
                    } completion: {
                        done($0)
                    }
                }
                store.commit(Notes.reading([first])) { reading in
                    // The second arrives while the first is running.
                    if isFirstTry.exchange(false, ordering: .relaxed) { addSecond() }
                    return .write(try Notes.save([first], from: reading), ())
                } completion: { (_: Result<Void, any Error>) in
                }
            }
            let secondError = try await onThread { saved.waitForError() }
            sawUncommitted = refusals.load(ordering: .relaxed) > 0
            // Alone in their groups, they are rejected one after the other.
            guard sawUncommitted else { continue }
            #expect(secondError == nil, "it was refused for what was never saved")
            #expect(try store.record(first) == nil && store.record(second) != nil)
        }
        #expect(sawUncommitted)
        #expect(try store.findings() == [])
    }

    // docs/protocol.md E5
    @Test("A commit whose outcome is unknown is not run again")
    func unknownFate() async throws {
        // At COMMIT, once: a repetition succeeds.
        try cloud.meddle(
            "CREATE SEQUENCE tries",
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tries') = 1 THEN RAISE EXCEPTION 'who knows' USING ERRCODE = 'XX000'; END IF;
                RETURN NULL;
            END $$
            """,
            """
            CREATE CONSTRAINT TRIGGER fail AFTER UPDATE ON heads DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION fail()
            """)
        let store = store
        let error = try await onThread { store.saving(["a"]).waitForError() }
        guard case .unavailable(let text) = error as? StorageError else {
            Issue.record("\(error.map { "\($0)" } ?? "it went through")")
            return
        }
        #expect(text.contains("XX000"))
        #expect(try cloud.number("SELECT last_value FROM tries") == 1)
        // A transaction that is certainly lost is repeated as before.
        try cloud.meddle(
            "ALTER SEQUENCE tries RESTART",
            "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                + "IF nextval('tries') = 1 THEN RAISE EXCEPTION 'met another' USING ERRCODE = '40001'; END IF; "
                + "RETURN NULL; END $$")
        try await store.save(["b"])
        #expect(try cloud.number("SELECT last_value FROM tries") == 2)
        #expect(try store.findings() == [])
    }

    @Test("A writer behind one that waits in vain for a lock gets the same error")
    func heldHead() async throws {
        let (cloud, store) = (cloud, store)
        let (isQueued, errors, roundTrips) = try await onThread {
            let holder = WriteSession(store, try Connection(cloud.target))
            try holder.lock([1])
            let process = try holder.transaction.run(Statement("SELECT pg_backend_pid()::bigint")).first?.int(0) ?? 0
            let first = store.saving(["a"])
            try cloud.waitUntilSomebodyWaits(for: holder)
            let second = store.saving(["b"])
            let isQueued = eventually { cloud.engine.waitingCommits == 2 }
            let before = cloud.engine.roundTrips
            try cloud.meddle(
                """
                SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE \(process) = ANY (pg_blocking_pids(pid))
                """)
            let errors = [first.waitForError(), second.waitForError()]
            defer { holder.rollback() }
            return (isQueued, errors, cloud.engine.roundTrips - before)
        }
        #expect(isQueued)
        #expect(errors.allSatisfy { $0 as? StorageError == .busy }, "\(errors)")
        // Its one query, which was running, and the rollback.
        #expect(roundTrips <= 2)
        try await store.save(["c"])
    }

    @Test("A writer behind one that waits in vain for the catalog does not get its error")
    func heldCatalog() async throws {
        let (cloud, store) = (cloud, store)
        let errors = try await onThread {
            let holder = WriteSession(store, try Connection(cloud.target))
            defer { holder.rollback() }
            let reading = try holder.load(ReadSet(), locking: [])
            guard try holder.lockCatalog(asSeenIn: reading) else { throw NoWaitingSession() }
            let process = try holder.transaction.run(Statement("SELECT pg_backend_pid()::bigint")).first?.int(0) ?? 0
            let first = BackgroundTask { (done: @escaping @Sendable (Result<Void, any Error>) -> Void) in
                store.commit(Notes.reading(["a"])) { reading in
                    var writes = try Notes.save(["a"], from: reading)
                    writes.raisesCatalogVersion = true
                    return .write(writes, ())
                } completion: {
                    done($0)
                }
            }
            try cloud.waitUntilSomebodyWaits(for: holder)
            let second = store.saving(["b"])
            guard eventually({ cloud.engine.waitingCommits == 2 }) else { throw NoWaitingSession() }
            try cloud.meddle(
                """
                SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE \(process) = ANY (pg_blocking_pids(pid))
                """)
            return [first.waitForError(), second.waitForError()]
        }
        #expect(errors[0] as? StorageError == .busy)
        #expect(errors[1] == nil, "it needs no catalog")
        #expect(try store.findings() == [])
    }

    @Test("A session that the server ended meanwhile is reopened, for any kind of work")
    func endedSession() async throws {
        try await store.save(["a"])
        let process = try cloud.engine.pool.withConnection { connection throws(StorageError) in
            try connection.run([Call(Statement("SELECT pg_backend_pid()::bigint"))]).first?.first?.int(0)
        }
        #expect(try cloud.number("SELECT pg_terminate_backend(\(try #require(process)), 5000)::int::bigint") == 1)
        let shape = IndexShape(type: Cloud.note, parts: [.value(.recordName)])
        try await store.openIndexes([shape], in: 1, at: 1)
        #expect(try store.indexes().count == 1)
    }
}

/// docs/scaling.md: what plain PostgreSQL 15 already provides.
@Suite("Servers with standbys") struct StandbyTests {
    private let server: PostgresServer
    private let engine: PostgresEngine
    private let url: String

    init() throws {
        server = try PostgresServer()
        url = try server.createDatabase()
        engine = try PostgresEngine(ConnectionTarget(url: url), options: .ofTests)
        try Cloud.create(in: engine)
    }

    private var store: any TenantStore { get throws { try #require(try engine.open(Cloud.tenant)) } }

    private func isUnavailable(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch StorageError.unavailable {
            return true
        } catch {
            return false
        }
    }

    @Test("A commit that was not replicated, because its wait was ended, is not acknowledged")
    func unreplicated() async throws {
        defer { engine.close() }
        let store = try store
        try server.sql("ALTER SYSTEM SET synchronous_standby_names = 'missing'", in: url)
        try server.sql("SELECT pg_reload_conf()", in: url)
        let (server, url) = (server, url)
        let (isCancelled, error) = try await onThread {
            let saving = store.saving(["a"])
            let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            let isCancelled = try eventually { try server.sql(cancel, in: url).hasPrefix("1") }
            // A commit that is still waiting continues from here.
            try server.sql("ALTER SYSTEM RESET synchronous_standby_names", in: url)
            try server.sql("SELECT pg_reload_conf()", in: url)
            return (isCancelled, saving.waitForError())
        }
        #expect(isCancelled)
        let failed = await isUnavailable { if let error { throw error } }
        #expect(failed)
        // It is saved nevertheless, as after a lost response.
        #expect(try store.record("a") != nil)
    }

    @Test("A standby is not used: it serves neither saves nor outdated reads")
    func standby() async throws {
        defer { engine.close() }
        let store = try store
        try await store.save(["a"])
        try server.stop(mode: "fast")
        try server.makeStandby()
        try server.start()
        #expect(await isUnavailable { try await store.save(["b"]) })
        #expect(await isUnavailable { _ = try store.record("a") })
        #expect(throws: StorageError.self) { try PostgresEngine(ConnectionTarget(url: url), options: .ofTests) }
    }
}
