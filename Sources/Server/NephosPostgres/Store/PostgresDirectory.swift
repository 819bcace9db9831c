import NephosStorage

/// The directory in a PostgreSQL database. A commit that changes the digest, or creates or deletes a container, locks the row
/// of `meta` before it decides, so that such commits are serialized; others lock what their scans specify.
struct PostgresDirectory: DirectoryStore {
    /// Maximum number of attempts when other transactions commit first.
    private static let attemptsMax = 5

    let engine: PostgresEngine
    /// Whether the rows of a deleted container are removed immediately, if possible; otherwise they are removed in the background.
    var sweeps = true
    package var described: TableSet { engine.tables }

    func read(_ set: ReadSet) throws(StorageError) -> Reading {
        try engine.pool.withConnectionRetrying { connection throws(StorageError) in
            let transaction = Transaction(connection, .beginReading)
            defer { transaction.rollback() }
            var reading = Reading(catalog: .placeholder)
            try set.load(by: engine.secretKeys, into: &reading, transaction.load(isForUpdate: false))
            return reading
        }
    }

    func commit<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        var attempts = 0
        while true {
            attempts += 1
            do {
                if let answer = try attempt(set, decide, isLocked: false) { return answer }
                guard let answer = try attempt(set, decide, isLocked: true) else {
                    throw StorageError.failed("a commit of the directory was not decided")
                }
                return answer
            } catch let error as StorageError where error.wasOvertaken && attempts < Self.attemptsMax {
                // Rows that do not exist, or that a scan reads without a lock, are not locked: decide again with the current state.
            }
        }
    }

    /// - Returns: nil if the row of `meta` must be locked first.
    private func attempt<Answer: Sendable>(
        _ set: ReadSet, _ decide: (Reading) throws -> Decision<Answer>, isLocked: Bool
    ) throws -> Answer? {
        let (answer, containers) = try engine.pool.withTransaction { transaction in
            let meta = isLocked ? try TenantList.lock(transaction) : nil
            let load = transaction.load(isForUpdate: true)
            let (writes, answer) = try set.decided(engine.secretKeys, load, decide)
            guard isLocked || writes.directoryDigest == 0 && writes.containers.isEmpty else {
                return (Answer?.none, ContainerChange())
            }
            try apply(writes, meta, transaction)
            return (answer, writes.containers)
        }
        try finish(containers)
        return answer
    }

    private func apply(_ set: WriteSet, _ meta: TenantList.Meta?, _ transaction: Transaction) throws(StorageError) {
        var writes = set
        let key = try key(for: writes, meta, transaction)
        try writes.seal(under: key)
        try TableWriter(tenant: .none, transaction: transaction, tables: engine.tables).apply(writes.changes)
        guard var meta else { return }
        meta.digest &+= writes.directoryDigest
        for seed in writes.containers.created {
            guard meta.lastTenant < TenantNumber.max else { throw .failed("all numbers of tenants are used up") }
            meta.lastTenant += 1
            try TenantSeeding(TenantNumber(value: meta.lastTenant), transaction).run(seed.sealed(under: key))
        }
        if let (id, time) = writes.containers.deleted { try TenantList.markDeleted(id, at: time, transaction) }
        TenantList.update(meta, transaction)
    }

    private func key(
        for writes: WriteSet, _ meta: TenantList.Meta?, _ transaction: Transaction
    ) throws(StorageError) -> SecretKey? {
        if let meta { return try engine.secretKeys.key(named: meta.secrets.current) }
        guard writes.changes.contains(where: { $0.table.hasSecrets }) else { return nil }
        return try engine.secretKeys.key(named: try TenantList.secrets(transaction).current)
    }

    private func finish(_ containers: ContainerChange) throws(StorageError) {
        for seed in containers.created { engine.forget(seed.head.tenant.container) }
        guard let id = containers.deleted?.id else { return }
        engine.forget(id)
        guard sweeps else { return }
        do throws(StorageError) {
            while try engine.sweepDeletedContainers(rows: 1_000) {}
        } catch {
            guard case .failed = error else { return }
            throw error
        }
    }
}

extension Transaction {
    /// Loads scans of the directory.
    fileprivate func load(isForUpdate: Bool) -> (any AnyScan, inout Reading) throws(StorageError) -> Void {
        let tables = TableReader(tenant: .none, isForUpdate: isForUpdate)
        return { scan, reading throws(StorageError) in try self.load(scan, by: tables, into: &reading) }
    }

    private func load(_ scan: some AnyScan, by tables: TableReader, into reading: inout Reading) throws(StorageError) {
        let scan = scan.scan
        guard !scan.isEmpty else { return reading[scan] = [] }
        reading[scan] = try tables.rows(try run([try tables.call(scan)]), of: scan)
    }
}

extension StorageError {
    /// Another transaction wrote what this one depends on after it had read that: a row with the same key, or one that it
    /// changes. Nothing of this transaction was committed.
    fileprivate var wasOvertaken: Bool {
        guard case .failed(let reason) = self else { return false }
        return ["23505", Guard.state].contains { reason.hasPrefix("PostgreSQL (\($0))") }
    }
}
