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
    }

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

    /// How long writers wait at most, and we for a writer, in milliseconds: first, and after further attempts.
    private static let patience = (first: 50, most: 1_000)
    private static let attempts = 30

    /// - Parameter now: The clock.
    /// - Throws: ``StorageError/failed(_:)`` if a database was locked by others again and again.
    func moment(_ now: () -> Milliseconds) throws(StorageError) -> FolderMoment {
        // Before anything is locked, because it takes longer than the rest.
        try open(listed(in: directory.snapshot))
        var blocked = ""
        for attempt in 0..<Self.attempts {
            let begun = ContinuousClock.now
            let patience = min(Self.patience.first << min(attempt, 10), Self.patience.most)
            switch try attempted(until: begun + .milliseconds(patience), now) {
            case .moment(let moment): return moment
            case .blocked(let path): blocked = path
            }
            // Others get as much time as they lost.
            usleep(useconds_t((ContinuousClock.now - begun) / .microseconds(1)))
        }
        throw .failed("\(blocked) was locked by another process at each of \(Self.attempts) attempts: try again later")
    }

    private enum Attempt {
        case moment(FolderMoment)
        /// The path of the database that somebody else kept locked.
        case blocked(String)
    }

    private func attempted(
        until end: ContinuousClock.Instant, _ now: () -> Milliseconds
    ) throws(StorageError) -> Attempt {
        var locked: [LockedDatabase] = []
        defer { for database in locked { database.unlock() } }
        func lock(_ database: LockedDatabase) throws(StorageError) -> Bool {
            guard try database.lock(until: end) else { return false }
            locked.append(database)
            return true
        }
        guard try lock(directory) else { return .blocked(directory.path) }
        let ids = try listed(in: directory.writer)
        try open(ids)
        for tenant in tenants { guard try lock(tenant) else { return .blocked(tenant.path) } }
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

    /// Opens the tenants of these containers, and closes others.
    private func open(_ ids: [String]) throws(StorageError) {
        let all = ids.flatMap { id in Environment.allCases.map { Tenant(container: id, environment: $0) } }
        let needed = (all.count + 1) * LockedDatabase.openFiles + Self.otherFiles
        let limit = OpenFiles.raiseLimit()
        guard needed <= limit else {
            throw .failed(
                """
                all \(all.count + 1) databases must be open at once, which takes \(needed) open files, and this process may have \
                \(limit): raise the limit (ulimit -n)
                """)
        }
        let open = Dictionary(tenants.map { ($0.tenant, $0) }) { first, _ in first }
        tenants = try all.map { tenant throws(StorageError) in
            if let database = open[tenant] { return database }
            return try LockedDatabase(tenant, in: folder)
        }
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

    init(_ tenant: Tenant?, in folder: DataDirectory) throws(StorageError) {
        self.tenant = tenant
        path = tenant.map(folder.tenant) ?? folder.directoryFile
        guard try FileSystem.exists(path) else { throw .corrupt("a database is missing: \(path)") }
        writer = try Connection(path: path, access: .write, settings: Tuning.reader)
        // Not read-only: if no server runs, it is the last connection, and empties the log when it is closed.
        snapshot = try Connection(path: path, access: .write, settings: Tuning.reader)
        // These read what would otherwise be read while everything is locked.
        _ = try writer.number("PRAGMA schema_version")
        pageSize = try snapshot.number("PRAGMA page_size") ?? 0
        _ = try snapshot.number("PRAGMA page_count")
    }

    /// - Returns: Whether it is locked; otherwise somebody else writes.
    func lock(until end: ContinuousClock.Instant) throws(StorageError) -> Bool {
        while try !writer.beginAtOnce() {
            guard ContinuousClock.now < end else { return false }
            // A server writes one group of commits right after the other: whoever looks only each millisecond rarely finds the gap.
            usleep(50)
        }
        return true
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
