import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// How a request behaves when the catalog changes while it runs.
@Suite("Attempts of a request") final class RunnerTests {
    private static let tenant = Tenant(container: "iCloud.org.nephos.runner", environment: .development)

    private let engine: any StorageEngine
    private let admin: Administration
    private let runner: Runner
    private let store: any TenantStore
    private let folder: TestStore

    init() throws {
        folder = try TestStore.withTables()
        engine = try folder.open()
        admin = Administration(
            engine: engine,
            inputs: Inputs(
                now: { 1_700_000_000_000 }, randomBytes: { (0..<$0).map { _ in .random(in: .min ... .max) } }))
        try admin.createContainer(Self.tenant.container)
        runner = Runner(engine: engine)
        store = try runner.open(Self.tenant)
    }

    deinit { engine.close() }

    /// Reads nothing but the catalog, and records the versions with which it was called.
    private func read(_ asked: inout [Int64], refusing versions: Set<Int64> = []) throws -> Int64 {
        try runner.read(from: store) { catalog in
            asked.append(catalog.version)
            guard !versions.contains(catalog.version) else { throw Refusal.recordNotFound }
            return (ReadSet(), catalog.version)
        } answer: { reading, version in
            #expect(reading.catalog.version == version)
            return version
        }
    }

    @Test("A request decided on an outdated catalog is decided again on the stored one")
    func moved() async throws {
        var asked: [Int64] = []
        let first = try read(&asked)
        #expect(asked == [first])
        _ = try await admin.createAPIToken(in: Self.tenant)
        asked = []
        let second = try read(&asked)
        #expect(second > first && asked == [first, second])
        asked = []
        #expect(try read(&asked) == second)
        #expect(asked == [second])
    }

    @Test("A rejection by a cached catalog is not final; one by the stored catalog is")
    func refused() async throws {
        var asked: [Int64] = []
        let first = try read(&asked)
        asked = []
        #expect(throws: Refusal.self) { try read(&asked, refusing: [first]) }
        #expect(asked == [first])
        _ = try await admin.createAPIToken(in: Self.tenant)
        asked = []
        let second = try read(&asked, refusing: [first])
        #expect(second > first && asked == [first, second])
        asked = []
        #expect(throws: Refusal.self) { try read(&asked, refusing: [second]) }
        #expect(asked == [second])
    }

    @Test("A write decided on an outdated catalog is not performed")
    func moot() async throws {
        let old = try store.read(ReadSet()).catalog
        _ = try await admin.createAPIToken(in: Self.tenant)
        for (catalog, isMade) in [(old, false), (try store.read(ReadSet()).catalog, true)] {
            let result = await withCheckedContinuation { continuation in
                let context = RequestContext(catalog: catalog, caller: .anonymous, scope: .public, now: 1)
                runner.commit(ReadSet(), to: store, authenticatedBy: context) { _ in
                    .write(WriteSet(), 7)
                } completion: {
                    continuation.resume(returning: $0)
                }
            }
            switch result {
            case .success(let answer): #expect(isMade && answer == 7)
            case .failure(let error): #expect(!isMade && error is CatalogMoved, "\(error)")
            }
        }
    }

    @Test("A request is restarted at most eight times, and its error then depends on the cause")
    func bounds() throws {
        let moved = CatalogMoved(to: try store.read(ReadSet()).catalog)
        for attempt in 1..<Runner.attemptsMax {
            guard case .again = runner.next(after: moved, of: attempt, at: Self.tenant) else {
                Issue.record("attempt \(attempt) was the last")
                continue
            }
            guard case .reopen = runner.next(after: StorageError.noSuchTenant, of: attempt, at: Self.tenant) else {
                Issue.record("attempt \(attempt) was the last of a container that is gone")
                continue
            }
        }
        let last = Runner.attemptsMax
        if case .fails(let error) = runner.next(after: moved, of: last, at: Self.tenant) {
            #expect((error as? Refusal)?.retryAfter == 1)
        } else {
            Issue.record("a ninth attempt")
        }
        if case .fails(let error) = runner.next(after: StorageError.noSuchTenant, of: last, at: Self.tenant) {
            #expect(error as? StorageError == .noSuchTenant)
        } else {
            Issue.record("a ninth attempt at a container that is gone")
        }
        if case .fails(let error) = runner.next(after: Refusal.recordNotFound, of: 1, at: Self.tenant) {
            #expect(error is Refusal)
        } else {
            Issue.record("a refusal was tried again")
        }
    }
}
