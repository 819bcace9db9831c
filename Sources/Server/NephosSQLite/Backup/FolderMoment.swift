import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// All databases of a data folder as of one moment: each is in a read transaction, and all of these began while no process could
/// write to any of them (docs/decisions/0054).
struct FolderMoment {
    /// One of the databases.
    struct Database {
        /// The tenant; nil for the directory.
        let tenant: Tenant?
        /// In a read transaction. Its log grows until it is closed.
        let snapshot: Connection
        let bytes: Int64

        var name: String { FolderMoment.name(of: tenant) }
    }

    /// The name of a database for people. - Parameter tenant: nil for the directory.
    static func name(of tenant: Tenant?) -> String { tenant?.description ?? "accounts and containers" }

    let time: Milliseconds
    /// The directory, then the tenants in order.
    let databases: [Database]
    /// Containers whose deletion was interrupted.
    let deleting: [String]
    /// Folders that neither belong to a container nor are left over from one.
    let unlisted: [String]
}

/// Locks all databases of a data folder for a moment.
///
/// The directory is locked first, which excludes that containers are created or deleted; then the tenants, in order. Other code
/// locks either one file at a time, or the directory and then a tenant, so nobody waits for us while we wait for them.
final class FolderLock {
    private let folder: DataDirectory
    private let directory: LockedDatabase
    /// In order.
    private var tenants: [LockedDatabase] = []

    init(_ folder: DataDirectory) throws(StorageError) {
        self.folder = folder
        directory = try LockedDatabase(nil, in: folder)
    }

    /// How long others wait for an attempt at most: for the first one, and for later ones.
    private static let patience = (first: Duration.milliseconds(50), most: Duration.seconds(1))

    /// Waits as long as it takes.
    ///
    /// - Parameters:
    ///   - now: The clock.
    ///   - opened: Called when the databases are open, and none is locked yet.
    ///   - waiting: Called with the name of a database before this waits, with nothing locked, until nobody writes to it.
    func moment(
        _ now: () -> Milliseconds, opened: () throws(StorageError) -> Void = {},
        waiting: (String) throws(StorageError) -> Void
    ) throws(StorageError) -> FolderMoment {
        // Before anything is locked, because it takes longer than the rest. What cannot be opened may just be deleted: it counts only
        // once nothing changes any more.
        tenants = try needed(listed(in: directory.snapshot)).compactMap { try? LockedDatabase($0, in: folder) }
        try opened()
        var patience = Self.patience.first
        while true {
            switch try attempted(within: patience, now) {
            case .moment(let moment): return moment
            case .blocked(let database): try database.waitUntilFree(waiting)
            }
            patience = min(patience * 2, Self.patience.most)
        }
    }

    private enum Attempt {
        case moment(FolderMoment)
        /// The database that somebody else kept locked.
        case blocked(LockedDatabase)
    }

    private func attempted(
        within patience: Duration, _ now: () -> Milliseconds
    ) throws(StorageError) -> Attempt {
        let begun = ContinuousClock.now
        var locked: [LockedDatabase] = []
        defer { for database in locked { database.unlock() } }
        func lock(_ database: LockedDatabase) throws(StorageError) -> Bool {
            guard try database.lock(since: begun, for: patience) else { return false }
            locked.append(database)
            return true
        }
        guard try lock(directory) else { return .blocked(directory) }
        let ids = try listed(in: directory.writer)
        try open(ids)
        for tenant in tenants { guard try lock(tenant) else { return .blocked(tenant) } }
        let databases = try ([directory] + tenants).map { database throws(StorageError) in try database.begin() }
        var (deleting, unlisted): ([String], [String]) = ([], [])
        let (folders, listed) = (ContainerFolders(directory: folder, tables: .server), Set(ids))
        for name in try folders.names() {
            if try folders.isBeingDeleted(name) {
                deleting.append(name)
            } else if !listed.contains(name) {
                unlisted.append(name)
            }
        }
        deleting.removeAll { !listed.contains($0) }
        return .moment(FolderMoment(time: now(), databases: databases, deleting: deleting, unlisted: unlisted))
    }

    private func listed(in directory: Connection) throws(StorageError) -> [String] {
        try TableReader(connection: directory).rows(ContainerRow.all).map(\.id)
    }

    /// Opens the tenants of these containers, and closes others, and those whose files have been replaced.
    private func open(_ ids: [String]) throws(StorageError) {
        let open = Dictionary(tenants.map { ($0.tenant, $0) }) { first, _ in first }
        tenants = try needed(ids).map { tenant throws(StorageError) in
            if let database = open[tenant], database.isCurrent { return database }
            return try LockedDatabase(tenant, in: folder)
        }
    }

    /// The tenants of these containers, in order.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if this process may not have all of their databases open.
    private func needed(_ ids: [String]) throws(StorageError) -> [Tenant] {
        let all = ids.flatMap { id in Environment.allCases.map { Tenant(container: id, environment: $0) } }
        let needed = (all.count + 1) * LockedDatabase.openFiles + Self.otherFiles
        let limit = OpenFileLimit.raise()
        guard needed <= limit else {
            throw .failed(
                """
                all \(all.count + 1) databases must be open at once, which takes \(needed) open files, and this process may have \
                \(limit): raise the limit (ulimit -n)
                """)
        }
        return all
    }

    /// Files that a process has open otherwise.
    private static let otherFiles = 64
}

/// A database with two connections: one locks it against writers, and the other begins to read meanwhile.
private final class LockedDatabase {
    /// Each connection has the database and its log open, and both share the index of the log.
    static let openFiles = 5

    /// nil for the directory.
    let tenant: Tenant?
    let path: String
    let writer: Connection
    let snapshot: Connection
    private let pageSize: Int64
    /// Of the file. Another one at its path has another number, since this one is open.
    private let device: dev_t
    private let number: ino_t

    init(_ tenant: Tenant?, in folder: DataDirectory) throws(StorageError) {
        self.tenant = tenant
        path = tenant.map(folder.tenant) ?? folder.directoryFile
        guard try FileSystem.exists(path), let status = NoFollow.status(path) else {
            throw .corrupt("a database is missing: \(path)")
        }
        (device, number) = (status.st_dev, status.st_ino)
        writer = try Connection(path: path, access: .write, settings: Tuning.reader)
        // Not read-only: if no server runs, it is the last connection, and empties the log when it is closed.
        snapshot = try Connection(path: path, access: .write, settings: Tuning.reader)
        // These read what would otherwise be read while everything is locked.
        _ = try writer.number("PRAGMA schema_version")
        pageSize = try snapshot.number("PRAGMA page_size") ?? 0
        _ = try snapshot.number("PRAGMA page_count")
    }

    /// Whether its path still leads to the file that is open.
    var isCurrent: Bool {
        guard let status = NoFollow.status(path) else { return false }
        return status.st_dev == device && status.st_ino == number
    }

    /// - Returns: Whether it is locked; otherwise somebody else writes.
    func lock(since begun: ContinuousClock.Instant, for patience: Duration) throws(StorageError) -> Bool {
        while try !writer.beginAtOnce() {
            let passed = ContinuousClock.now - begun
            guard passed < patience else { return false }
            usleep(passed < Pause.closeLook ? Pause.close : Pause.usual)
        }
        return true
    }

    /// - Parameter waiting: Called with its name, if somebody writes.
    func waitUntilFree(_ waiting: (String) throws(StorageError) -> Void) throws(StorageError) {
        var isReported = false
        while try !writer.beginAtOnce() {
            if !isReported { try waiting(FolderMoment.name(of: tenant)) }
            isReported = true
            usleep(Pause.usual)
        }
        unlock()
    }

    func unlock() { writer.rollback() }

    /// Begins the read transaction.
    func begin() throws(StorageError) -> FolderMoment.Database {
        try snapshot.beginReading()
        // A snapshot is taken by the first read.
        let pages = try snapshot.number("PRAGMA page_count") ?? 0
        return FolderMoment.Database(tenant: tenant, snapshot: snapshot, bytes: pages * pageSize)
    }
}

/// Between two attempts to lock a database, in microseconds.
private enum Pause {
    static let usual: useconds_t = 1_000
    /// A server writes one group of commits right after the other: whoever looks only each millisecond rarely finds the gap.
    static let close: useconds_t = 50
    /// How long a close look lasts, which keeps a processor busy.
    static let closeLook = Duration.milliseconds(50)
}
