import NephosQueries
package import NephosStorage

/// One tenant in the tables of a PostgreSQL database.
///
/// Nothing is cached between transactions except the catalog and the lists of indexes, each by a version that every
/// transaction reads: other processes may write at any time.
package final class PostgresTenantStore: TenantStore, OpenStore {
    package let tenant: Tenant
    let number: TenantNumber
    let pool: ConnectionPool
    package let described: TableSet
    let catalogs: CatalogCache
    var secretKeys: SecretKeys { catalogs.keys }
    let indexLists = MaintainedIndexLists()
    /// The channel on which processes notify each other.
    let channel: String
    private let commits: CommitQueue
    private let news: NewsBroadcaster

    init(
        _ tenant: Tenant, _ number: TenantNumber, _ pool: ConnectionPool, _ commits: CommitQueue,
        _ tables: TableSet, _ keys: SecretKeys, channel: String, news: NewsBroadcaster
    ) {
        catalogs = CatalogCache(keys, tables)
        described = tables
        self.channel = channel
        self.news = news
        self.tenant = tenant
        self.number = number
        self.pool = pool
        self.commits = commits
    }

    package var readsWait: Bool { true }

    package var isGone: Bool { catalogs.isGone }

    package func read(_ set: ReadSet) throws(StorageError) -> Reading {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            let batch = try ReadBatch(set, number)
            if !batch.mayAskMore, let reading = try readAtOnce(batch, connection) { return reading }
            let transaction = Transaction(connection, .beginReading, set.abandonment)
            defer { transaction.rollback() }
            let reader = CatalogReader(tenant: number)
            var answers = try transaction.run([reader.stamp] + batch.calls)
            let stamp = answers.removeFirst()
            let catalog = try catalogs.catalog { known throws(StorageError) in
                try reader.catalog(stamp, remembered: known, transaction)
            }
            var reading = Reading(catalog: catalog)
            try batch.load(&answers, transaction, into: &reading)
            try reading.openSecrets(by: secretKeys)
            return reading
        }
    }

    /// Reads in one round trip, from BEGIN to COMMIT. - Returns: nil if the catalog must be read again.
    private func readAtOnce(_ batch: ReadBatch, _ connection: Connection) throws(StorageError) -> Reading? {
        let transaction = Transaction(connection, .beginReading)
        var answers = try transaction.runToEnd([CatalogReader(tenant: number).stamp] + batch.calls)
        let stamp = answers.removeFirst()
        let catalog = try catalogs.remembered { () throws(StorageError) in try CatalogReader.read(stamp) }
        guard let catalog else { return nil }
        var reading = Reading(catalog: catalog)
        try batch.load(&answers, transaction, into: &reading)
        try reading.openSecrets(by: secretKeys)
        return reading
    }

    package func commit<Answer: Sendable>(
        _ set: ReadSet,
        decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        commits.add(PendingDecision(set, decide, completion, notify: news.notify), to: self)
    }

    /// Runs work of the engine in its own transaction. The work must lock the heads of the databases that it writes before it
    /// reads any of their rows.
    func perform<Answer: Sendable>(
        _ work: @escaping @Sendable (WriteSession) throws(StorageError) -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commits.add(Chore(work) { continuation.resume(with: $0) }, to: self)
        }
    }
}

/// Commits to one database wait in one line.
extension PostgresTenantStore: CommitPlace {
    package func line(of databases: [DatabaseNumber]) -> CommitLine? {
        databases.count == 1 ? CommitLine(tenant: number.value, database: databases[0]) : nil
    }

    package func withSession(
        _ body: (any CommitSession) throws(StorageError) -> Void
    ) throws(StorageError) {
        try pool.withConnection { connection throws(StorageError) in
            let session = WriteSession(self, connection)
            defer { session.rollback() }
            try body(session)
        }
    }
}
