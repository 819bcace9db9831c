import NephosStorage

extension StorageCase {
    static let news: [StorageCase] = [postsAreSeen, postsNeverRepeat, postsAreTold, newsOfTheNew]

    static let postsAreSeen = StorageCase(
        "posted news is seen by one look of every engine, for each tenant's requested topics"
    ) { tenant in
        let (other, production) = (try tenant.secondEngine(), try tenant.inProduction())
        let person = try await tenant.person(1).number
        let (flags, own) = (Topic("flags", 1), Topic("flags", person))
        func numbers(_ topics: Set<Topic>, and others: Set<Topic> = []) throws -> [[Topic: Int64]?] {
            let news = try other.engine.news(of: [tenant.name: topics, production.name: others, strange: topics])
            return [tenant.name, production.name, strange].map { news[$0]?.numbers }
        }
        try expectEqual(try numbers([flags, own]), [[:], [:], nil], "before any post")
        try await tenant.post([flags], at: 1_000)
        try await tenant.post([own, Topic("trends", 1)], at: 2_000)
        try await production.post([Topic("trends", 1)], at: 3_000)
        try expectEqual(try numbers([flags, own]), [[flags: 1_000, own: 2_000], [:], nil], "what was posted")
        try expectEqual(
            try numbers([own], and: [flags, Topic("trends", 1)]), [[own: 2_000], [Topic("trends", 1): 3_000], nil],
            "different topics")
        try expectEqual(try numbers([]), [[:], [:], nil], "without topics")
    }

    static let postsNeverRepeat = StorageCase(
        "each post raises the number of its topic, at least to its time, even if the row was lost in between"
    ) { tenant in
        let topic = Topic("flags", 1)
        func number() throws -> Int64? {
            let news = try tenant.engine.news(of: [tenant.name: [topic]])
            return news[tenant.name]?.numbers[topic]
        }
        for (time, expected) in [(1_000, 1_000), (1_000, 1_001), (10, 1_002), (5_000, 5_000)] as [(Int64, Int64)] {
            // Posting twice in one commit counts once.
            try await tenant.post([topic, topic], at: time)
            try expectEqual(try number(), expected, "the number of a post at \(time)")
        }
        try await tenant.change([topic]) { writes, rows in for row in rows { writes.remove(row) } }
        try expectEqual(try number(), nil, "a removed row")
        try await tenant.post([topic], at: 6_000)
        try tenant.restart()
        try expectEqual(try number(), 6_000, "the number after that")
    }

    static let postsAreTold = StorageCase("listeners are notified of topics in the process that posted them") {
        tenant in
        let other = try tenant.secondEngine()
        let received = ReceivedNews(of: tenant.engine)
        try await other.post([Topic("elsewhere", 1)], at: 1)
        try await tenant.post([Topic("flags", 1), Topic("trends", 1)], at: 2)
        let told = StorageNews.posted(tenant.name, [Topic("flags", 1): 2, Topic("trends", 1): 2])
        try expectEqual(try await received.all { !$0.isEmpty }, [told], "the received news")
    }

    static let newsOfTheNew = StorageCase(
        "a recreated container is skipped once, and news of the old one is not seen"
    ) { tenant in
        let other = try tenant.secondEngine()
        let topic = Topic("flags", 1)
        func news() throws -> TenantNews? { try tenant.engine.news(of: [tenant.name: [topic]])[tenant.name] }
        try await tenant.post([topic], at: 1)
        try expectEqual(try news(), TenantNews(catalogVersion: 1, numbers: [topic: 1]), "the old one")
        try other.engine.deleteContainer(TestTenant.container, at: 9)
        try other.engine.createContainer(
            ContainerRow(id: TestTenant.container, createdAt: 11), seeds: Environment.allCases.map(TestTenant.seed))
        // Its catalog has the same version as the old one.
        try expectEqual(try news(), nil, "that it is another")
        try expectEqual(try news(), TenantNews(catalogVersion: 1), "the new one")
        try other.reopen()
        try await other.post([topic], at: 12)
        try expectEqual(try news(), TenantNews(catalogVersion: 1, numbers: [topic: 12]), "a post in the new one")
        try tenant.reopen()
    }
}

private let strange = Tenant(container: "iCloud.nobody", environment: .production)

extension TestTenant {
    /// Posts topics in one commit.
    fileprivate func post(_ topics: [Topic], at now: Milliseconds) async throws {
        try await change(topics) { writes, rows in
            for topic in topics { writes.post(topic, replacing: rows.first { $0.topic == topic }, at: now) }
        }
    }

    /// - Parameter change: Receives the stored rows of the topics.
    fileprivate func change(
        _ topics: [Topic], _ change: @escaping @Sendable (inout WriteSet, [NewsRow]) -> Void
    ) async throws {
        var set = ReadSet()
        set.databases = Set(topics.map(\.database)).sorted()
        let stored = NewsRow.of(topics)
        set.ask(stored)
        try await store.commit(set) { reading in
            var writes = WriteSet()
            change(&writes, reading[stored])
            return .write(writes, ())
        }
    }
}
