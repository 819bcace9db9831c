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
        _ = try here.createContainer(of: Self.tenant)
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

    private func listen(to topics: Set<Topic>, basis: AdmissionBasis? = nil) -> RecordingListener {
        RecordingListener { watch.listen(to: topics, of: Self.tenant, basis: basis, $0) }
    }

    @Test("News from another process is delivered with the next look, once, to its listeners")
    func elsewhereIsTold() async throws {
        let (first, second) = (listen(to: [Self.flags]), listen(to: [Self.trends]))
        try await post(Self.flags, in: elsewhere, at: 10)
        try await post(Self.flags, in: elsewhere, at: 20)
        #expect(first.received == [])
        for _ in 0..<2 { await watch.poll() }
        #expect(first.received == [.posted([Self.flags: 20])])
        #expect(second.received == [])
        try await post(Self.trends, in: elsewhere, at: 30)
        await watch.poll()
        #expect(second.received == [.posted([Self.trends: 30])])
        #expect(first.received.count == 1)
    }

    @Test("News from this process is delivered without a look, and not delivered again")
    func hereIsTold() async throws {
        let listener = listen(to: [Self.flags])
        try await post(Self.flags, in: here, at: 10)
        #expect(await listener.next() == .posted([Self.flags: 10]))
        await watch.poll()
        #expect(listener.received.count == 1)
    }

    @Test("A later listener gets no earlier news, only what is posted from then on")
    func later() async throws {
        let first = listen(to: [Self.flags])
        try await post(Self.flags, in: elsewhere, at: 10)
        await watch.poll()
        let second = listen(to: [Self.flags])
        await watch.poll()
        #expect(second.received == [])
        try await post(Self.flags, in: elsewhere, at: 20)
        await watch.poll()
        #expect([first, second].map(\.received.last) == Array(repeating: .posted([Self.flags: 20]), count: 2))
    }

    @Test("Without listeners there are no look-ups, and an ended listener gets nothing")
    func nobody() async throws {
        let listener = listen(to: [Self.flags])
        #expect(watch.listeners == 1)
        listener.end()
        #expect(watch.listeners == 0)
        try await post(Self.flags, in: elsewhere, at: 10)
        here.close()
        // A closed engine rejects every call.
        await watch.poll()
        #expect(failures.count == 0)
        #expect(listener.received == [])
    }

    @Test("A changed catalog is reported until the listener knows it, and so is a deleted container")
    func catalog() async throws {
        let inputs = Inputs(
            now: { 1_700_000_000_000 }, randomBytes: { (0..<$0).map { _ in .random(in: .min ... .max) } })
        let admin = Administration(engine: elsewhere, inputs: inputs)
        let version = try #require(try here.open(Self.tenant)).read(ReadSet()).catalog.version
        let (listener, careless) = (listen(to: [], basis: AdmissionBasis(catalogVersion: version)), listen(to: []))
        await watch.poll()
        #expect(listener.received == [])
        _ = try await admin.createAPIToken(in: Self.tenant)
        for _ in 0..<2 { await watch.poll() }
        #expect(listener.received == Array(repeating: .catalog(version + 1), count: 2))
        listener.listening?.knows(AdmissionBasis(catalogVersion: version + 1))
        await watch.poll()
        #expect(listener.received.count == 2)
        try elsewhere.deleteContainer(Self.tenant.container, at: 1)
        await watch.poll()
        #expect(listener.received.last == .catalog(nil))
        #expect(careless.received == [])
    }

    @Test("An unavailable store is reported")
    func outage() async throws {
        let broken = NewsWatch(
            Worker(Runner(engine: EmptyEngine(failure: .unavailable("down")))), failed: failures.note)
        let listener = RecordingListener { broken.listen(to: [Self.flags], of: Self.tenant, $0) }
        await broken.poll()
        #expect(listener.received == [.unknown])
        #expect(failures.count == 1)
    }
}

private final class Failures: Sendable {
    private let all = Mutex(0)

    var count: Int { all.withLock { $0 } }
    @Sendable func note(_ error: any Error) { all.withLock { $0 += 1 } }
}

/// A listener that stores what it received.
final class RecordingListener: Sendable {
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

    var received: [News] { all.withLock { $0 } }
    var listening: Listening? { listens.withLock { $0 } }

    func end() { listens.withLock { $0 = nil } }

    /// The next item.
    func next() async -> News? {
        for await news in stream { return news }
        return nil
    }
}
