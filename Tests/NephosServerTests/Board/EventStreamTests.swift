import Foundation
import NephosAdmin
import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

/// docs/decisions/0031: streams of a feature's endpoint. Polls of the store are triggered by tests.
@Suite("Event streams of features", .onOwnThreads) struct EventStreamTests {
    /// Posts from another process on the same store.
    private func post(_ own: BoardCloud) async throws {
        var options = SQLiteOptions()
        options.tables = [Feature.board(Board())].tables
        let engine = try SQLiteEngine(directory: own.cloud.data, options: options)
        defer { engine.close() }
        let store = try #require(try engine.open(SmallCloud.tenant))
        var set = Board.set
        set.databases = [1]
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.post(Board.topic, replacing: reading[NewsRow.of([Board.topic])].first, at: 1)
            return .write(writes, ())
        }
    }

    /// A started stream, and its first text.
    private func stream(
        _ own: BoardCloud, seen: String? = nil, as caller: SmallCloud.Caller = .app
    ) throws -> (LocalExchange, first: String) {
        let headers = seen.map { [("Last-Event-ID", $0)] } ?? []
        let exchange = own.begin("GET", "board/stream", headers: headers, as: caller)
        let head = try exchange.head()
        #expect(head.status == 200 && head["Content-Type"] == "text/event-stream; charset=utf-8")
        let retry = try text(exchange)
        #expect(retry.wholeMatch(of: /retry: [0-9]+\n\n/) != nil)
        return (exchange, seen == nil ? try text(exchange) : "")
    }

    /// The next part; empty where the stream has ended.
    private func text(_ exchange: LocalExchange) throws -> String {
        String(decoding: try exchange.piece() ?? [], as: UTF8.self)
    }

    /// The listener learns the end of a stream after its client.
    private func expectNobodyListens(_ own: BoardCloud) {
        #expect(Deadline().waits { own.board.news?.listeners == 0 })
    }

    /// Blocks this thread, like ``text(_:)``.
    private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    private func number(_ event: String) throws -> Int64 {
        let match = try #require(event.wholeMatch(of: /id: ([0-9]+)\nevent: changed\ndata: {"number":([0-9]+)}\n\n/))
        #expect(match.1 == match.2)
        return try #require(Int64(match.1))
    }

    @Test("A save is announced immediately, a post of another process with the next look, and nothing twice")
    func told() async throws {
        let own = try await BoardCloud()
        let (exchange, first) = try stream(own)
        try own.save("one")
        let second = try text(exchange)
        #expect(try number(second) == number(first) + 1)
        try await post(own)
        await own.board.news?.poll()
        let third = try text(exchange)
        #expect(try number(third) == number(second) + 1)
        let (again, _) = try stream(own, seen: "\(try number(third))")
        try own.save("two")
        for exchange in [exchange, again] { #expect(try number(text(exchange)) == number(third) + 1) }
        exchange.leave()
        again.leave()
        expectNobodyListens(own)
    }

    @Test("Posts during a stream's query cause one more query afterwards")
    func conflated() async throws {
        let own = try await BoardCloud()
        let (exchange, _) = try stream(own)
        let (asked, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = Mutex(0)
        own.board.whenAsked.withLock {
            $0 = {
                count.withLock { $0 += 1 }
                asked.signal()
                goOn.wait()
            }
        }
        try own.save("one")
        wait(for: asked)
        for _ in 0..<5 {
            try await post(own)
            await own.board.news?.poll()
        }
        #expect(count.withLock { $0 } == 1)
        for _ in 0..<2 { goOn.signal() }
        let last = try number(text(exchange))
        wait(for: asked)
        #expect(count.withLock { $0 } == 2)
        // For the query that the next save triggers. Any other query would block forever.
        goOn.signal()
        try own.save("two")
        #expect(try number(text(exchange)) == last + 1)
        exchange.leave()
    }

    @Test("A stream of a revoked session ends once that is noticed; others stay")
    func revoked() async throws {
        let own = try await BoardCloud()
        let (person, _) = try stream(own, as: .person)
        let (friend, _) = try stream(own, as: .friend)
        let (key, _) = try stream(own, as: .key)
        _ = try await own.cloud.administration.revokeAllSessions(of: "ada@example.org")
        await own.board.news?.poll()
        #expect(try person.piece() == nil)
        try await post(own)
        await own.board.news?.poll()
        for exchange in [friend, key] { #expect(try number(text(exchange)) > 0) }
        try own.cloud.engine.deleteContainer(SmallCloud.container, at: 1)
        await own.board.news?.poll()
        for exchange in [friend, key] { #expect(try exchange.piece() == nil) }
    }

    @Test("A session revoked by another process before the stream began gets no events")
    func revokedBefore() async throws {
        let own = try await BoardCloud()
        // The server caches the user.
        #expect(try own.begin(as: .person).head().status == 200)
        let engine = try SQLiteEngine(directory: own.cloud.data, options: SQLiteOptions())
        defer { engine.close() }
        let administration = Administration(engine: engine, inputs: own.cloud.inputs.ofOperator)
        _ = try await administration.revokeAllSessions(of: "ada@example.org")
        let exchange = own.begin("GET", "board/stream", as: .person)
        #expect(try exchange.head().status == 200)
        _ = try text(exchange)
        #expect(try exchange.piece() == nil)
        #expect(own.board.asked.withLock { $0 }.isEmpty)
    }

    @Test("An open stream uses its caller's current rights")
    func rights() async throws {
        let own = try await BoardCloud()
        let (exchange, _) = try stream(own, as: .friend)
        let before = try #require(own.board.asked.withLock { $0 }.last)
        _ = try await own.cloud.administration.createAPIToken(in: SmallCloud.tenant)
        try await post(own)
        await own.board.news?.poll()
        _ = try number(text(exchange))
        #expect(own.board.asked.withLock { $0 }.last == before + 1)
        exchange.leave()
    }

    @Test("A stream ends after an hour")
    func lifetime() async throws {
        let own = try await BoardCloud()
        let (exchange, _) = try stream(own)
        own.cloud.inputs.now += 3_599_999
        try own.save("one")
        _ = try number(text(exchange))
        own.cloud.inputs.now += 1
        try own.save("two")
        #expect(try exchange.piece() == nil)
        expectNobodyListens(own)
    }

    @Test("A stopping server ends its streams")
    func stops() async throws {
        let own = try await BoardCloud()
        let (exchange, _) = try stream(own)
        exchange.stop()
        #expect(try exchange.piece() == nil)
        expectNobodyListens(own)
    }
}
