import NephosDomain
import NephosRunner
import NephosStorage
import Testing

/// docs/decisions/0048: a process that caches callers learns which sessions have ended, and removes only these.
@Suite("Sessions that end while a process caches them") struct EndedSessionsTests {
    private func read(_ number: Int, _ desk: SessionFixture) throws {
        let context = try #require(try desk.request(number), "session \(number) is forgotten")
        _ = try desk.runner.read(ReadSet(), from: desk.store, authenticatedBy: context)
    }

    @Test("One of 10,000 callers signs out: the others stay cached, and one look-up finds the session")
    func oneOfMany() async throws {
        let (desk, count) = (try await SessionFixture(), 10_000)
        try await desk.add(1..<count)
        for number in 0..<count { #expect(throws: Never.self) { try desk.prove(number).get() } }
        let late = try #require(try desk.request(77))
        try await desk.end([77])
        let before = desk.store.reads
        for number in 0..<count where number != 77 { try read(number, desk) }
        // One read per request, and one to learn which session has ended.
        #expect(desk.store.reads - before == count - 1 + 1)
        #expect(try desk.request(77) == nil)
        // A request that was running when it ended.
        #expect(throws: CatalogMoved.self) {
            try desk.runner.read(ReadSet(), from: desk.store, authenticatedBy: late)
        }
        #expect(throws: Refusal.self) { try desk.prove(77).get() }
    }

    @Test("An ended session is rejected from the next request on, whether it reads or writes")
    func refused() async throws {
        let desk = try await SessionFixture()
        try await desk.add(1..<3)
        for number in 0..<3 { _ = try desk.prove(number).get() }
        let contexts = try (0..<3).map { try #require(try desk.request($0)) }
        try await desk.end([1])
        #expect(throws: CatalogMoved.self) {
            try desk.runner.read(ReadSet(), from: desk.store, authenticatedBy: contexts[1])
        }
        for (number, context) in contexts.enumerated() {
            let result = await withCheckedContinuation { continuation in
                desk.runner.commit(ReadSet(), to: desk.store, authenticatedBy: context) { _ in
                    .write(WriteSet(), number)
                } completion: {
                    continuation.resume(returning: $0)
                }
            }
            switch result {
            case .success(let answer): #expect(answer == number && number != 1)
            case .failure(let error): #expect(number == 1 && error is CatalogMoved, "\(error)")
            }
        }
        for number in [0, 2] { try read(number, desk) }
        #expect(try desk.request(1) == nil)
    }

    @Test("Requests without a person, and processes without cached callers, look for no ended sessions")
    func careless() async throws {
        let desk = try await SessionFixture()
        try await desk.add(1..<3)
        let catalog = try desk.store.read(ReadSet()).catalog
        try await desk.end([1])
        let before = desk.store.reads
        let nobody = RequestContext(catalog: catalog, caller: .anonymous, scope: .public, now: SessionFixture.now)
        _ = try desk.runner.read(ReadSet(), from: desk.store, authenticatedBy: nobody)
        #expect(desk.store.reads - before == 1)
    }

    @Test("If more sessions ended than are read in one go, all cached callers are dropped and authenticated again")
    func tooMany() async throws {
        let desk = try await SessionFixture()
        let count = EndedSessions.most + 2
        try await desk.add(1..<count + 1)
        for number in [0, 1, count] { _ = try desk.prove(number).get() }
        try await desk.end(1..<count)
        let context = try #require(try desk.request(0))
        #expect(throws: CatalogMoved.self) {
            try desk.runner.read(ReadSet(), from: desk.store, authenticatedBy: context)
        }
        for number in [0, 1, count] { #expect(try desk.request(number) == nil) }
        _ = try desk.prove(0).get()
        let before = desk.store.reads
        try read(0, desk)
        #expect(desk.store.reads - before == 1)
    }

    @Test("An authentication from before a session ended is not cached once this process knows of the end")
    func late() async throws {
        let desk = try await SessionFixture()
        try await desk.add(1..<3)
        for number in 0..<3 { _ = try desk.prove(number).get() }
        let (known, catalog) = try #require(desk.memory.caller(try desk.tokens(1).pair, now: SessionFixture.now))
        try await desk.end([1])
        try read(0, desk)
        desk.memory.remember(known, try desk.tokens(1).pair, of: catalog)
        #expect(try desk.request(1) == nil)
    }

    @Test("A waiting caller is notified that its session may have ended; others are not, and are checked once")
    func news() async throws {
        let desk = try await SessionFixture()
        try await desk.add(1..<3)
        let catalog = try desk.store.read(ReadSet()).catalog
        let watch = NewsWatch(Worker(desk.runner))
        let listeners = (0..<3).map { number in
            RecordingListener {
                watch.listen(
                    to: [], of: SessionFixture.tenant,
                    basis: AdmissionBasis(by: catalog, session: SessionFixture.id(number)), $0)
            }
        }
        let key = RecordingListener {
            watch.listen(to: [], of: SessionFixture.tenant, basis: AdmissionBasis(by: catalog, session: []), $0)
        }
        await watch.poll()
        try await desk.end([1])
        for _ in 0..<2 { await watch.poll() }
        #expect(listeners[1].received == Array(repeating: .catalog(catalog.version), count: 2))
        #expect(listeners[0].received == [] && listeners[2].received == [] && key.received == [])
        listeners[1].end()
        try await desk.end([2])
        await watch.poll()
        #expect(listeners[2].received == [.catalog(catalog.version)])
        #expect(listeners[0].received == [] && key.received == [])
    }
}
