import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

/// docs/decisions/0031, by polls that a test triggers. Two engines on one store stand for a server and another process.
@Suite("News of topics") final class NewsWatchTests {
    private static let tenant = Tenant(container: "iCloud.org.nephos.news", environment: .development)
    private static let (flags, trends) = (Topic("flags", 1), Topic("trends", 1))

    private let folder: TestStore
    private let here: any StorageEngine
    private let elsewhere: any StorageEngine
    private let failures = Failures()
    private let watch: NewsWatch

    init() throws {
        folder = try TestStore.withTables()
        here = try folder.open()
        _ = try here.makeContainer(of: Self.tenant)
        elsewhere = try folder.open()
        watch = NewsWatch(Worker(Runner(engine: here)), failed: failures.note)
    }

    deinit {
        here.close()
        elsewhere.close()
    }

    private func post(_ topic: Topic, in engine: any StorageEngine, at now: Milliseconds) async throws {
        let stored = NewsRow.of([topic])
        var set = ReadSet()
        set.databases = [topic.database]
        set.ask(stored)
        let store = try #require(try engine.open(Self.tenant))
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.post(topic, replacing: reading[stored].first, at: now)
            return .write(writes, ())
        }
    }

    private func listen(to topics: Set<Topic>, letIn: LetIn? = nil) -> Ear {
        Ear { watch.listen(to: topics, of: Self.tenant, letIn: letIn, $0) }
    }

    @Test("News from another process is delivered with the next look, once, to its listeners")
    func elsewhereIsTold() async throws {
        let (first, second) = (listen(to: [Self.flags]), listen(to: [Self.trends]))
        try await post(Self.flags, in: elsewhere, at: 10)
        try await post(Self.flags, in: elsewhere, at: 20)
        #expect(first.heard == [])
        for _ in 0..<2 { await watch.look() }
        #expect(first.heard == [.posted([Self.flags: 20])])
        #expect(second.heard == [])
        try await post(Self.trends, in: elsewhere, at: 30)
        await watch.look()
        #expect(second.heard == [.posted([Self.trends: 30])])
        #expect(first.heard.count == 1)
    }

    @Test("News from this process is delivered without a look, and not delivered again")
    func hereIsTold() async throws {
        let ear = listen(to: [Self.flags])
        try await post(Self.flags, in: here, at: 10)
        #expect(await ear.next() == .posted([Self.flags: 10]))
        await watch.look()
        #expect(ear.heard.count == 1)
    }

    @Test("A later listener gets no earlier news, only what is posted from then on")
    func later() async throws {
        let first = listen(to: [Self.flags])
        try await post(Self.flags, in: elsewhere, at: 10)
        await watch.look()
        let second = listen(to: [Self.flags])
        await watch.look()
        #expect(second.heard == [])
        try await post(Self.flags, in: elsewhere, at: 20)
        await watch.look()
        #expect([first, second].map(\.heard.last) == Array(repeating: .posted([Self.flags: 20]), count: 2))
    }

    @Test("Without listeners there are no look-ups, and an ended listener gets nothing")
    func nobody() async throws {
        let ear = listen(to: [Self.flags])
        #expect(watch.listeners == 1)
        ear.end()
        #expect(watch.listeners == 0)
        try await post(Self.flags, in: elsewhere, at: 10)
        here.close()
        // A closed engine rejects every call.
        await watch.look()
        #expect(failures.count == 0)
        #expect(ear.heard == [])
    }

    @Test("A changed catalog is reported until the listener knows it, and so is a deleted container")
    func catalog() async throws {
        let inputs = Inputs(
            now: { 1_700_000_000_000 }, randomBytes: { (0..<$0).map { _ in .random(in: .min ... .max) } })
        let admin = Administration(engine: elsewhere, inputs: inputs)
        let version = try #require(try here.open(Self.tenant)).read(ReadSet()).catalog.version
        let (ear, careless) = (listen(to: [], letIn: LetIn(catalogVersion: version)), listen(to: []))
        await watch.look()
        #expect(ear.heard == [])
        _ = try await admin.createAPIToken(in: Self.tenant)
        for _ in 0..<2 { await watch.look() }
        #expect(ear.heard == Array(repeating: .catalog(version + 1), count: 2))
        ear.listening?.knows(LetIn(catalogVersion: version + 1))
        await watch.look()
        #expect(ear.heard.count == 2)
        try elsewhere.deleteContainer(Self.tenant.container, at: 1)
        await watch.look()
        #expect(ear.heard.last == .catalog(nil))
        #expect(careless.heard == [])
    }

    @Test("An unavailable store is reported")
    func outage() async throws {
        let broken = NewsWatch(
            Worker(Runner(engine: EmptyEngine(failure: .unavailable("down")))), failed: failures.note)
        let ear = Ear { broken.listen(to: [Self.flags], of: Self.tenant, $0) }
        await broken.look()
        #expect(ear.heard == [.unknown])
        #expect(failures.count == 1)
    }
}

private final class Failures: Sendable {
    private let all = Mutex(0)

    var count: Int { all.withLock { $0 } }
    @Sendable func note(_ error: any Error) { all.withLock { $0 += 1 } }
}

/// A listener that stores what it received.
final class Ear: Sendable {
    private let all = Mutex<[News]>([])
    private let listens = Mutex<Listening?>(nil)
    private let (stream, continuation) = AsyncStream.makeStream(of: News.self)

    init(_ listen: (@escaping @Sendable (News) -> Void) -> Listening) {
        let listening = listen { [weak self] news in
            self?.all.withLock { $0.append(news) }
            self?.continuation.yield(news)
        }
        listens.withLock { $0 = listening }
    }

    var heard: [News] { all.withLock { $0 } }
    var listening: Listening? { listens.withLock { $0 } }

    func end() { listens.withLock { $0 = nil } }

    /// The next item.
    func next() async -> News? {
        for await news in stream { return news }
        return nil
    }
}
