import CloudKitWire
import Logging
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

@testable import NephosBackend

/// docs/decisions/0016: background work for credentials.
@Suite("Background work for credentials") struct CredentialUpkeepTests {
    private static let tenant = Tenant(container: "iCloud.test", environment: .development)
    private let place: TestStore
    private let engine: any StorageEngine
    private let store: any TenantStore
    private let uses = CredentialUses()

    init() throws {
        place = try TestStore.withTables()
        engine = try place.open()
        store = try engine.createContainer(of: Self.tenant)
    }

    private var upkeep: Upkeep {
        Upkeep(
            worker: Worker(Runner(engine: engine, uses: uses)), tombstoneDays: 1, trashDays: 1,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func day(_ key: CredentialKey) throws -> Int64? {
        try store.rows(CredentialUseRow.keyed([key])).first?.day
    }

    private func session(_ number: UInt8, ends: Milliseconds) async throws -> SessionRow {
        let enrolment = Enrolment.person(
            account: "A", newID: .init(high: 1, low: 1), sessionID: .init(repeating: number, count: 16),
            secret: .init(repeating: number, count: 32), expiresAt: ends, now: 1)
        return try #require(try await store.commit(enrolment.reading, decide: enrolment.decide))
    }

    @Test("A pass records the last day of use of any number of credentials, once a day")
    func noted() async throws {
        defer { engine.close() }
        let keys = (0..<1_200).map { CredentialKey(.session, Array("\($0)".utf8)) }
        uses.note(keys, of: Self.tenant, at: 20_000 * 86_400_000 + 7)
        uses.note(
            [CredentialKey(.token, [1])], of: Tenant(container: "iCloud.gone", environment: .production),
            at: 20_000 * 86_400_000)
        await upkeep.noteUses()
        for key in [keys[0], keys[1_199]] { #expect(try day(key) == 20_000) }
        #expect(uses.take().isEmpty, "what was written is not kept")
        uses.note(keys, of: Self.tenant, at: 20_000 * 86_400_000 + 8)
        #expect(uses.take().isEmpty, "it was noted on this day")
        uses.note([keys[0]], of: Self.tenant, at: 20_001 * 86_400_000)
        await upkeep.noteUses()
        #expect(try day(keys[0]) == 20_001 && day(keys[1]) == 20_000)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("Upkeep removes sessions that expired over a day ago, with their use, and changes no version")
    func expired() async throws {
        defer { engine.close() }
        let now = WallClock.now()
        let gone = try await session(1, ends: now - ForgetSessions.kept - 1)
        let kept = [try await session(2, ends: now - 1_000), try await session(3, ends: now + 1_000_000)]
        uses.note([CredentialKey(.session, gone.id), CredentialKey(.session, kept[0].id)], of: Self.tenant, at: now)
        let version = try store.read(ReadSet()).catalog.version
        await upkeep.noteUses()
        #expect(try day(CredentialKey(.session, gone.id)) != nil)
        let jobs = Jobs(upkeep.jobs, worker: Worker(Runner(engine: engine)))
        try await jobs.noteAll()
        await jobs.runDue()
        var set = ReadSet()
        let sessions = SessionRow.keyed([gone.id] + kept.map(\.id))
        set.ask(sessions)
        let reading = try store.read(set)
        #expect(Set(reading[sessions].map(\.id)) == Set(kept.map(\.id)))
        #expect(reading.catalog.version == version)
        #expect(try day(CredentialKey(.session, gone.id)) == nil && day(CredentialKey(.session, kept[0].id)) != nil)
        #expect(try store.check { _, _ in } == [])
    }
}
