import CloudKitWire
import NephosDomain
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// docs/decisions/0048: the duration of a session, and what extends it.
@Suite("How long sessions last") struct SessionLengthTests {
    private static let (minute, day): (Milliseconds, Milliseconds) = (60_000, 86_400_000)
    private static let tenant = Tenant(container: "iCloud.test", environment: .development)

    private func session(_ kind: SessionRow.Kind, createdAt time: Milliseconds = 0) -> SessionRow {
        SessionRow(
            id: Array(0..<16), user: UserID(high: 1, low: 1), privateDatabase: 2, secret: [1], createdAt: time,
            expiresAt: time + kind.length, kind: kind)
    }

    @Test("A fixed session keeps its end, however it is used")
    func fixed() {
        let fixed = session(.fixed)
        #expect(fixed.expiresAt == 14 * Self.day && fixed.usedAt == 0 && fixed.endsAt == 0 && fixed.flaw == nil)
        for time in [0, Self.day, 14 * Self.day - 1] { #expect(fixed.extended(byUseAt: time) == nil) }
    }

    @Test(
        "A use extends a session if the last extension was an interval ago, and not after the session has expired",
        arguments: [(SessionRow.Kind.short, 30 * minute, 5 * minute), (.kept, 14 * day, day)])
    func extended(kind: SessionRow.Kind, length: Milliseconds, interval: Milliseconds) throws {
        let new = session(kind, createdAt: 1_000)
        #expect(new.expiresAt == 1_000 + length && new.usedAt == 1_000 && new.endsAt == 1_000 + 180 * Self.day)
        #expect(new.extended(byUseAt: 999 + interval) == nil)
        let longer = try #require(new.extended(byUseAt: 1_000 + interval))
        #expect(longer.usedAt == 1_000 + interval && longer.expiresAt == longer.usedAt + length)
        #expect(longer.endsAt == new.endsAt && longer.flaw == nil)
        #expect(new.extended(byUseAt: new.expiresAt - 1) != nil && new.extended(byUseAt: new.expiresAt) == nil)
        var ended = new
        ended.revokedAt = 1
        #expect(ended.extended(byUseAt: 1_000 + interval) == nil)
    }

    @Test(
        "However often it is used, a session ends 180 days after its creation",
        arguments: [SessionRow.Kind.short, .kept])
    func hardEnd(kind: SessionRow.Kind) {
        var session = session(kind)
        var time: Milliseconds = 0
        while let longer = session.extended(byUseAt: time + kind.interval) {
            time = longer.usedAt
            session = longer
        }
        #expect(session.expiresAt == 180 * Self.day && session.flaw == nil)
        #expect(!session.isDue(at: session.expiresAt - 1) && session.isLive(at: 180 * Self.day - 1))
    }

    @Test("Of uses noted by several servers one is written, and a session that is ended at the same time stays ended")
    func races() async throws {
        let place = try TestStore.withTables()
        let engines = try (0..<2).map { _ in try place.open() }
        defer { for engine in engines { engine.close() } }
        _ = try engines[0].createContainer(of: Self.tenant)
        let stores = try engines.map { try #require(try $0.open(Self.tenant)) }
        var lengths: Set<Milliseconds> = []
        for round in 0..<20 {
            let enrolment = Enrolment.person(
                account: "A", newID: UserID(high: 1, low: 1), sessionID: Array(repeating: UInt8(round), count: 16),
                secret: Array(repeating: 7, count: 32), kind: .short, now: 0)
            let session = try #require(try await stores[0].commit(enrolment.reading, decide: enrolment.decide))
            let answers = try await withThrowingTaskGroup(of: SessionRow?.self, returning: [SessionRow].self) { group in
                for (number, store) in (stores + stores).enumerated() {
                    group.addTask {
                        let extend = ExtendSessions([SessionUse(of: session, at: 6 * Self.minute + Int64(number))])
                        return try await store.commit(extend.reading, decide: extend.decide).first
                    }
                }
                if round.isMultiple(of: 2) {
                    group.addTask {
                        let revoke = RevokeSessions(
                            .one(session.id), of: session.user, home: session.privateDatabase, now: 5)
                        let answer = try await stores[1].commit(revoke.reading, decide: revoke.decide)
                        #expect(answer.sessions == 1)
                        return nil
                    }
                }
                return try await group.reduce(into: []) { if let row = $1 { $0.append(row) } }
            }
            let stored = try #require(try stores[0].rows(SessionRow.keyed([session.id])).first)
            #expect(answers.count == 4 && stored.flaw == nil)
            if round.isMultiple(of: 2) {
                #expect(stored.revokedAt == 5 && stored.endNumber > 0)
                // Again, by a server that does not know about the end.
                let extend = ExtendSessions([SessionUse(of: session, at: 20 * Self.minute)])
                #expect(try await stores[1].commit(extend.reading, decide: extend.decide) == [stored])
            } else {
                // All saw the one that was written.
                #expect(answers.allSatisfy { $0 == stored })
                #expect((6 * Self.minute..<6 * Self.minute + 4).contains(stored.usedAt))
                lengths.insert(stored.expiresAt - stored.usedAt)
            }
        }
        #expect(lengths == [30 * Self.minute])
        #expect(try stores[0].check { _, _ in } == [])
    }

    @Test("Where a session was used is noted by the sign-in, and by a use that extends it; not by any other")
    func sources() async throws {
        let place = try TestStore.withTables()
        let engine = try place.open()
        defer { engine.close() }
        let store = try engine.createContainer(of: Self.tenant)
        let sources = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].map {
            RequestSource(token: [1], device: "Firefox, Linux", network: $0)
        }
        let enrolment = Enrolment.person(
            account: "A", newID: UserID(high: 1, low: 1), sessionID: Array(repeating: 1, count: 16),
            secret: Array(repeating: 7, count: 32), kind: .short, from: sources[0], now: 0)
        let session = try #require(try await store.commit(enrolment.reading, decide: enrolment.decide))
        for (time, source, expected) in [
            (4 * Self.minute, sources[1], sources[0]), (5 * Self.minute, sources[1], sources[1]),
            (9 * Self.minute, sources[2], sources[1]), (10 * Self.minute, RequestSource(), sources[1]),
            (15 * Self.minute, sources[2], sources[2]),
        ] {
            let extend = ExtendSessions([SessionUse(of: session, at: time, from: source)])
            _ = try await store.commit(extend.reading, decide: extend.decide)
            #expect(try store.rows(SessionUseRow.of([session.id])).map(\.source) == [expected], "\(time)")
        }
        #expect(try store.check { _, _ in } == [])
    }

    @Test("A missing session is skipped, and many are extended at the same time")
    func many() async throws {
        let place = try TestStore.withTables()
        let engine = try place.open()
        defer { engine.close() }
        let store = try engine.createContainer(of: Self.tenant)
        var sessions: [SessionRow] = []
        for number in 0..<5 {
            let enrolment = Enrolment.person(
                account: "\(number)", newID: UserID(high: 1, low: UInt64(number)),
                sessionID: Array(repeating: UInt8(number), count: 16), secret: Array(repeating: 7, count: 32),
                kind: number == 4 ? .fixed : .kept, now: 0)
            sessions.append(try #require(try await store.commit(enrolment.reading, decide: enrolment.decide)))
        }
        let gone = session(.kept)
        let extend = ExtendSessions((sessions + [gone]).map { SessionUse(of: $0, at: 2 * Self.day) })
        let now = try await store.commit(extend.reading, decide: extend.decide).sorted { $0.id[0] < $1.id[0] }
        #expect(now.map(\.expiresAt) == Array(repeating: 16 * Self.day, count: 4) + [14 * Self.day])
        #expect(try store.rows(SessionRow.newest(limit: 9)).sorted { $0.id[0] < $1.id[0] } == now)
        #expect(try store.check { _, _ in } == [])
    }
}
