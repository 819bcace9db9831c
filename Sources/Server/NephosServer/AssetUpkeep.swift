import Logging
import NIOPosix
import NephosAssets
import NephosDomain
import NephosHTTP
import NephosStorage

/// Removes the bytes of files that nobody holds any more: those that the database has forgotten, and strays, which processes
/// left that died between a file and its row (docs/decisions/0007).
struct AssetUpkeep: Sendable {
    /// Files forgotten in one transaction, and looked up at a time.
    private static let chunk = 200

    let engine: any StorageEngine
    let files: any AssetStore
    let threads: NIOThreadPool
    let logger: Logger

    private var cutoff: Milliseconds { WallClock.now() - AssetReceipt.grace }

    /// Forgets what has not been held for a day, and removes it then.
    func sweep(_ store: any TenantStore) async throws {
        while true {
            let forgotten = try await store.sweepAssets(releasedBefore: cutoff, rows: Self.chunk)
            let (files, tenant) = (files, store.tenant)
            try await threads.runIfActive {
                for row in forgotten { if let file = AssetFile(row, of: tenant) { try files.remove(file) } }
            }
            guard forgotten.count == Self.chunk else { return }
            try Task.checkCancellation()
        }
    }

    /// Removes what is older than a day and named by no row: drafts, files, and what deleted containers left.
    func removeStrays() async throws {
        let (engine, files, cutoff) = (engine, files, cutoff)
        let removed = try await threads.runIfActive {
            var removed = try files.removeAbandoned(olderThan: cutoff)
            // The list of those that have files comes first: one that is made meanwhile is on the other then.
            for container in try files.containers() {
                for environment in Environment.allCases {
                    removed += try removeStrays(of: Tenant(container: container, environment: environment), engine)
                }
            }
            return removed
        }
        if removed > 0 { logger.notice("stray files removed", metadata: ["files": "\(removed)"]) }
    }

    private func removeStrays(of tenant: Tenant, _ engine: any StorageEngine) throws -> Int {
        let (store, cutoff) = (try engine.open(tenant), cutoff)
        var (waiting, removed): ([AssetFile], Int) = ([], 0)
        func judge() throws {
            let named = try store.map { try Self.named(waiting, in: $0) } ?? []
            for file in waiting where !named.contains(file) {
                try files.remove(file)
                removed += 1
            }
            waiting = []
        }
        try files.files(of: tenant) { stored in
            guard stored.modifiedAt < cutoff else { return }
            waiting.append(stored.file)
            if waiting.count == Self.chunk { try judge() }
        }
        try judge()
        return removed
    }

    /// Those of the files that rows name.
    private static func named(_ files: [AssetFile], in store: any TenantStore) throws -> Set<AssetFile> {
        var set = ReadSet()
        set.assets = files.map { AssetKey(database: $0.database, address: $0.address.bytes) }
        let rows = try store.read(set).assets
        return Set(rows.compactMap { $0 }.compactMap { AssetFile($0, of: store.tenant) })
    }
}
