import CloudKitSchema
import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization
import TestEngines
import Testing

/// docs/protocol.md G8.
@Suite("schema reset") struct ResetTests {
    private static let deployed = """
        CREATE ROLE Admin; RECORD TYPE Kept (a STRING, \(Cloud.grants));
        """
    private static let more =
        deployed + """
            CREATE ROLE Tester; RECORD TYPE Gone (b STRING, \(Cloud.grants));
            """

    /// Development with records everywhere, and data in production that must be kept.
    private func cloud() async throws -> (Cloud, ada: Person, token: String) {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.deployed)
        _ = try await cloud.admin.deploySchema(of: Cloud.container)
        try await cloud.importSchema(Self.more)
        let ada = try await cloud.person("ada@example.org")
        let bob = try await cloud.person("bob@example.org")
        _ = try await cloud.admin.assignRole("Admin", to: "bob@example.org", in: Cloud.container, Environment.allCases)
        try await ada.createZone("Z")
        for index in 0..<5 {
            for type in ["Kept", "Gone"] {
                _ = try await ada.modify("create", "\(type)\(index)", type: type)
                _ = try await bob.modify("create", "\(type)\(index)", type: type, in: .private)
                _ = try await ada.modify("create", "\(type)\(index)", type: type, zone: "Z", in: .private)
            }
        }
        _ = try await ada.modify("delete", "Kept0")
        let there = try await cloud.person("ada@example.org", in: AdminFixture.production)
        _ = try await there.modify("create", "P", type: "Kept", fields: #"{"a":{"value":"1"}}"#)
        _ = try await ada.modify("forceUpdate", ada.userRecordName, fields: #"{"nick":{"value":"A"}}"#)
        return (cloud, ada, try ada.feed("Z").token)
    }

    private func expectReset(_ cloud: Cloud, _ ada: Person, _ token: String, _ note: Comment = "") async throws {
        #expect(try cloud.admin.schema(of: Cloud.development) == cloud.admin.schema(of: AdminFixture.production), note)
        let statistics = try cloud.admin.statistics(of: Cloud.development)
        #expect(statistics.map(\.type) == ["Kept", "Users"], note)
        #expect(statistics.map(\.inPublic.records) == [0, 2], note)
        #expect(statistics.map(\.inPrivate.records) == [0, 0], note)
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 9).isEmpty, note)
        // Zones exist, but they are different ones.
        #expect(throws: Refusal.self) { try ada.feed("Z", after: token) }
        #expect(try ada.feed("Z").names.isEmpty, note)
        #expect(try ada.lookUp(ada.userRecordName) == "{}", note)
        #expect(try cloud.admin.roleHolders(in: Cloud.container).map(\.environment) == [.production], note)
        #expect(try await ada.modify("create", "Kept0", type: "Kept", zone: "Z", in: .private) == "{}", note)
        _ = try await ada.modify("delete", "Kept0", zone: "Z", in: .private)
        let there = try await cloud.person("ada@example.org", in: AdminFixture.production)
        #expect(try there.lookUp("P").contains("1"), note)
        #expect(try cloud.check().isEmpty, note)
    }

    @Test("All records are removed, the schema is production's, and people stay") func reset() async throws {
        let (cloud, ada, token) = try await cloud()
        try await cloud.admin.resetDevelopment(of: Cloud.container)
        try await expectReset(cloud, ada, token)
        try await cloud.admin.resetDevelopment(of: Cloud.container)
        try await expectReset(cloud, ada, token, "a second time")
    }

    @Test("A reset deletes what was shown, and nothing if development has changed since") func preview() async throws {
        let (cloud, ada, token) = try await cloud()
        let preview = try cloud.admin.previewReset(of: Cloud.container)
        // Users are created again, and the deleted record is in the trash.
        #expect(
            preview.losses.description == """
                  record type Gone: 15 records, 10 of them in private databases
                  record type Kept: 14 records, 10 of them in private databases, and 1 in the trash
                """)
        try await cloud.importSchema(Self.more.replacing("b STRING", with: "b STRING, c STRING"))
        await #expect(throws: AdminError.self) {
            try await cloud.admin.resetDevelopment(of: Cloud.container, as: preview)
        }
        #expect(try cloud.admin.previewReset(of: Cloud.container).losses == preview.losses)
        try await cloud.admin.resetDevelopment(
            of: Cloud.container, as: try cloud.admin.previewReset(of: Cloud.container))
        try await expectReset(cloud, ada, token)
        #expect(try cloud.admin.previewReset(of: Cloud.container).losses.isEmpty)
    }

    @Test("The settings of development stay until all records are gone that they hide") func settingsLast() async throws
    {
        let (cloud, _, _) = try await cloud()
        let hiding = CatalogSection<Int>("hiding", isDeployed: true, uses: { _ in [] }, effects: { _, _ in [] }) {
            document throws(SectionFailure) in 0
        }
        let change = try ChangeSections(
            ["hiding": Array("a".utf8)[...]], of: [hiding], by: "ada", now: cloud.fixture.clock.read())
        _ = try await cloud.store().commit(change.reading, decide: change.decide)
        for steps in 1... {
            let engine = FailingEngine(cloud.fixture.engine, after: steps)
            let admin = Administration(
                engine: engine, inputs: Inputs(now: cloud.fixture.clock.read, randomBytes: Dice().roll))
            var isDone = true
            do { try await admin.resetDevelopment(of: Cloud.container) } catch { isDone = false }
            let hasSettings = try cloud.store().read(ReadSet()).catalog.sections["hiding"] != nil
            let left = try cloud.admin.statistics(of: Cloud.development).filter { $0.type != "Users" }
            let isEmpty = left.allSatisfy { $0.inPublic.records + $0.inPrivate.records == 0 }
            #expect(hasSettings || isEmpty, "after \(steps) steps")
            #expect(!isDone || !hasSettings, "after \(steps) steps")
            if isDone { return }
        }
    }

    @Test("An interruption damages nothing, and another reset completes it") func interrupted() async throws {
        for steps in 0... {
            let (cloud, ada, token) = try await cloud()
            let engine = FailingEngine(cloud.fixture.engine, after: steps)
            let admin = Administration(
                engine: engine, inputs: Inputs(now: cloud.fixture.clock.read, randomBytes: Dice().roll))
            let isDone: Bool
            do {
                try await admin.resetDevelopment(of: Cloud.container)
                isDone = true
            } catch {
                isDone = false
            }
            #expect(try cloud.check().isEmpty, "after \(steps) steps")
            if isDone { return }
            try await cloud.admin.resetDevelopment(of: Cloud.container)
            try await expectReset(cloud, ada, token, "after \(steps) steps")
        }
    }
}

/// An engine whose tenants stop writing after some transactions, like a command that is killed.
final class FailingEngine: StorageEngine {
    private let engine: any StorageEngine
    private let budget: Budget

    init(_ engine: any StorageEngine, after steps: Int) {
        self.engine = engine
        budget = Budget(steps)
    }

    final class Budget: Sendable {
        private let left: Mutex<Int>
        init(_ steps: Int) { left = Mutex(steps) }
        func spend() throws {
            let isLeft = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if !isLeft { throw StorageError.closed }
        }
    }

    var name: String { engine.name }
    var readsWait: Bool { engine.readsWait }
    var jobs: any JobStore { engine.jobs }
    func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool {
        try engine.sweepDeletedContainers(rows: rows)
    }
    func probe() throws(StorageError) { try engine.probe() }
    func listen(_: @escaping @Sendable (StorageNews) -> Void) {}

    func opened(_ tenant: Tenant) -> (any TenantStore)? { nil }
    func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        try engine.open(tenant).map { FailingStore($0, budget) }
    }
    var directory: any DirectoryStore { engine.directory }
    func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews] {
        try engine.news(of: topics)
    }
    func checkDirectory() throws(StorageError) -> [CheckFinding] { try engine.checkDirectory() }
    func close() {}
}

private final class FailingStore: StandInStore {
    let store: any TenantStore
    private let budget: FailingEngine.Budget

    init(_ store: any TenantStore, _ budget: FailingEngine.Budget) {
        self.store = store
        self.budget = budget
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        do { try budget.spend() } catch { return completion(.failure(error)) }
        store.commit(set, decide: decide, completion: completion)
    }

    func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool {
        try budget.spend()
        return try await store.sweepDeadZones(rows: rows, at: now)
    }

    func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {
        try budget.spend()
        try await store.dropIndexes(numbers, in: database)
    }
}
