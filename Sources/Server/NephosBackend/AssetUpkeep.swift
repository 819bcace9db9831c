package import Logging
package import NephosAssets
import NephosDomain
package import NephosRunner
package import NephosStorage

/// Removes the bytes of files that no record references any more: files whose rows the database has deleted, and strays, left by
/// processes that died between writing a file and its row (docs/decisions/0007).
package struct AssetUpkeep: Sendable {
    /// Files per transaction, and per look-up.
    private static let chunk = 200

    private let worker: Worker
    private let files: any AssetStore
    private let logger: Logger

    /// - Parameter worker: On the threads for files, so that it delays nothing else.
    package init(worker: Worker, files: any AssetStore, logger: Logger) {
        self.worker = worker
        self.files = files
        self.logger = logger
    }

    private var cutoff: Milliseconds { worker.now - AssetReceipt.grace }

    /// Deletes the rows of files that have been unreferenced for a day, and then the files.
    ///
    /// - Parameter keep: Called between two transactions.
    package func sweep(_ store: any TenantStore, keep: () async throws -> Void = {}) async throws {
        while true {
            let forgotten = try await store.sweepAssets(releasedBefore: cutoff, rows: Self.chunk)
            guard !forgotten.isEmpty else { return }
            try await worker.run {
                let home = try Self.home(of: store)
                for row in forgotten { remove(AssetFile(row, in: home)) }
            }
            guard forgotten.count == Self.chunk else { return }
            try await keep()
        }
    }

    /// Its row is gone, so a file that stays is a stray, and is tried again.
    private func remove(_ file: AssetFile?) {
        guard let file else { return }
        do { try files.remove(file) } catch {
            logger.error("a file cannot be removed", metadata: ["file": "\(file.address)", "error": "\(error)"])
        }
    }

    private static func home(of store: any TenantStore) throws -> AssetHome {
        AssetHome(try store.read(ReadSet()).catalog.head)
    }

    /// Removes files that are older than a day and have no row: drafts, and files of this store's tenants. Files of other stores
    /// that use the folder, and of deleted containers, are left alone (``AssetHome``).
    ///
    /// - Parameters:
    ///   - done: The last container that an interrupted earlier run completed.
    ///   - keep: Called between two tenants with the last completed container.
    package func removeStrays(
        after done: String = "", keep: (_ done: String) async throws -> Void = { _ in }
    ) async throws {
        let (engine, files, cutoff) = (worker.engine, files, cutoff)
        var removed = try await worker.run { try files.removeAbandoned(olderThan: cutoff) }
        var done = done
        for container in try await worker.run({ try engine.containers() }) where container.id > done {
            for environment in Environment.allCases {
                let tenant = Tenant(container: container.id, environment: environment)
                do {
                    removed += try await worker.run { try removeStrays(of: tenant) }
                } catch let error as StorageError where error.isOfOneTenant {
                    // The container was deleted meanwhile; its files no longer belong to this store.
                    if error == .noSuchTenant { continue }
                    logger.error(
                        "stray files cannot be searched for", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
                }
                try await keep(done)
            }
            done = container.id
        }
        if removed > 0 { logger.notice("stray files removed", metadata: ["files": "\(removed)"]) }
    }

    private func removeStrays(of tenant: Tenant) throws -> Int {
        guard let store = try worker.engine.open(tenant) else { return 0 }
        let (home, cutoff) = (try Self.home(of: store), cutoff)
        var (waiting, removed): ([AssetFile], Int) = ([], 0)
        func examine() throws {
            let named = try Self.named(waiting, in: store)
            for file in waiting where !named.contains(file) {
                remove(file)
                removed += 1
            }
            waiting = []
        }
        do {
            try files.files(in: home) { stored in
                guard stored.modifiedAt < cutoff else { return }
                waiting.append(stored.file)
                if waiting.count == Self.chunk { try examine() }
            }
        } catch let error as AssetError {
            logger.error("files cannot be listed", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        }
        try examine()
        return removed
    }

    /// The files that have rows.
    private static func named(_ files: [AssetFile], in store: any TenantStore) throws -> Set<AssetFile> {
        guard let home = files.first?.home else { return [] }
        let keys = Set(files.map { AssetKey(database: $0.database, address: $0.address.bytes) })
        return Set(try store.rows(AssetRow.at(Array(keys))).compactMap { AssetFile($0, in: home) })
    }
}
