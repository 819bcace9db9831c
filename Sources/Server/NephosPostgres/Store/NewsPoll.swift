import NephosStorage

/// Reads the news of tenants and topics: two statements in one round trip, the second only if there are topics. Tenants whose
/// number this process does not know need one more.
struct NewsPoll {
    private let topics: [Tenant: Set<Topic>]
    /// In the order of the statement.
    private let tenants: [Tenant]

    init(_ topics: [Tenant: Set<Topic>]) {
        self.topics = topics
        tenants = Array(topics.keys)
    }

    /// - Parameters:
    ///   - known: The number of a tenant, if this process knows it.
    ///   - isAnother: Called for tenants that were created again since. They are omitted.
    func news(
        _ pool: ConnectionPool, known: (Tenant) -> TenantNumber?, isAnother: (Tenant) -> Void
    ) throws(StorageError) -> [Tenant: TenantNews] {
        guard !tenants.isEmpty else { return [:] }
        let expected = Dictionary(tenants.compactMap { tenant in known(tenant).map { (tenant, $0) } }) { first, _ in
            first
        }
        var answers = try pool.run([versions] + calls(expected))
        var found = found(answers.removeFirst())
        for (tenant, number) in expected where found[tenant].map({ $0.number != number }) ?? false {
            found[tenant] = nil
            isAnother(tenant)
        }
        let others = found.filter { expected[$0.key] == nil }.mapValues(\.number)
        let calls = try calls(others)
        if !calls.isEmpty { answers += try pool.run(calls) }
        let byNumber = Dictionary(found.map { ($1.number, $0) }) { first, _ in first }
        var news = found.mapValues(\.news)
        for rows in answers { try take(rows, byNumber, &news) }
        return news
    }

    // MARK: Versions

    private var versions: Call {
        Call(Self.versions, tenants.map(\.container), tenants.map(\.environment.rawValue))
    }

    private func found(_ rows: Rows) -> [Tenant: (number: TenantNumber, news: TenantNews)] {
        var found: [Tenant: (number: TenantNumber, news: TenantNews)] = [:]
        for row in (0..<rows.count).map({ rows[$0] }) {
            found[tenants[Int(row.int(0)) - 1]] = (
                TenantNumber(value: row.int(2)),
                TenantNews(catalogVersion: row.int(1), endedSessions: row.int(3))
            )
        }
        return found
    }

    private static let versions = Statement(
        """
        SELECT key.place, c.version, c.tenant, c.ended_sessions
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS key (container, environment, place)
        CROSS JOIN LATERAL (
            SELECT version, tenant, ended_sessions FROM catalog
            WHERE container = key.container AND environment = key.environment AND deleted_at = 0 LIMIT 1
        ) AS c
        """)

    // MARK: Topics

    /// Reads all topics in all databases: more than requested if different topics are requested for different tenants.
    private func calls(_ tenants: [Tenant: TenantNumber]) throws(StorageError) -> [Call] {
        var (databases, names) = (Set<Int64>(), Set<String>())
        for (tenant, number) in tenants {
            for topic in topics[tenant] ?? [] {
                databases.insert(try number.stored(topic.database))
                names.insert(topic.name)
            }
        }
        return names.isEmpty ? [] : [Call(Self.posts, databases.sorted(), names.sorted())]
    }

    private func take(
        _ rows: Rows, _ tenants: [TenantNumber: Tenant], _ news: inout [Tenant: TenantNews]
    ) throws(StorageError) {
        try rows.forEach { row throws(StorageError) in
            let number = TenantNumber(value: row.int(0) >> TenantNumber.databaseBits)
            let post = try row.stored(NewsRow.self, number)
            // Rows of a deleted tenant may remain.
            guard let tenant = tenants[number], topics[tenant]?.contains(post.topic) == true else { return }
            news[tenant]?.numbers[post.topic] = post.number
        }
    }

    /// Reads across databases without a lock, as when searching for work.
    private static let posts = Statement(
        "SELECT \(TableSQL.list(NewsRow.table)) FROM news AS t WHERE t.db = ANY($1) AND t.topic = ANY($2)")
}
