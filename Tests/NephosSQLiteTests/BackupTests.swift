import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Synchronization
import Testing

@testable import NephosSQLite

/// docs/operating.md, "Backups"; docs/decisions/0054.
@Suite("A backup of a folder") struct BackupTests {
    private let cloud: Cloud
    private let target: TemporaryFolder
    private static let other = Tenant(container: "iCloud.org.example.other", environment: .production)

    init() throws {
        cloud = try Cloud()
        try Cloud.create(Self.other.container, in: cloud.engine)
        target = try TemporaryFolder(prefix: "nephos-backup")
    }

    private var folder: DataDirectory { DataDirectory(cloud.folder.path) }

    /// The databases of a folder from which the tests read, the directory first.
    private func databases(in folder: DataDirectory) -> [String] {
        [folder.directoryFile, folder.tenant(Cloud.tenant), folder.tenant(Self.other)]
    }

    private func run(_ sql: String, in path: String) throws(StorageError) {
        try Connection(path: path, access: .write, settings: []).execute(sql)
    }

    private func number(_ sql: String, in path: String) throws -> Int64? {
        try Connection(path: path, access: .read, settings: []).number(sql)
    }

    @Test("is not begun anew by writes of other processes, and has none that began after its moment")
    func isOneMoment() throws {
        for path in databases(in: folder) { try run("CREATE TABLE noise (bytes)", in: path) }
        // More than is copied in one piece.
        try run("INSERT INTO noise VALUES (randomblob(30000000))", in: folder.tenant(Self.other))
        let pieces = Mutex(0)
        let copied = try cloud.engine.backUp(to: target.path, now: { 7 }) { step throws(StorageError) in
            guard case .copying(_, let done, let total) = step else { return }
            // Every write of another process would have the copy of its database begun anew.
            for path in databases(in: folder) { try run("INSERT INTO noise VALUES (1)", in: path) }
            pieces.withLock { $0 += 1 }
            #expect(done <= total)
            if pieces.withLock({ $0 }) > 100 { throw .failed("it begins anew again and again") }
        }
        #expect(pieces.withLock { $0 } > 5, "the writes were to come in between")
        #expect(copied.moment == 7 && copied.bytes > 30_000_000)
        for path in databases(in: DataDirectory(target.path)) {
            #expect(try number("SELECT count(*) FROM noise WHERE bytes = 1", in: path) == 0)
            #expect(try number("PRAGMA page_count", in: path) ?? 0 > 1)
        }
        #expect(try number("SELECT count(*) FROM noise WHERE bytes = 1", in: folder.directoryFile) ?? 0 > 5)
    }

    @Test("waits for a transaction in progress without blocking those of other databases, and has what it commits")
    func waits() async throws {
        let writer = try Connection(path: folder.tenant(Self.other), access: .write, settings: [])
        try writer.execute("CREATE TABLE noise (bytes)")
        try writer.begin()
        try writer.execute("INSERT INTO noise VALUES (1)")
        let (engine, path) = (cloud.engine, target.path)
        let ended = Mutex<Result<BackedUpDatabases, any Error>?>(nil)
        let awaited = Mutex<String?>(nil)
        Thread.detachNewThread {
            let result = Result {
                try engine.backUp(to: path, now: { 1 }) { step in
                    if case .waiting(let name) = step { awaited.withLock { $0 = name } }
                }
            }
            ended.withLock { $0 = result }
        }
        #expect(Deadline().waits { awaited.withLock { $0 } != nil })
        #expect(awaited.withLock { $0 } == Self.other.description)
        let others = try [folder.directoryFile, folder.tenant(Cloud.tenant)].map { path in
            try Connection(path: path, access: .write, settings: [])
        }
        // Nobody ever has to wait.
        for _ in 0..<5_000 {
            for other in others {
                #expect(try other.beginAtOnce())
                other.rollback()
            }
        }
        #expect(ended.withLock { $0 } == nil)
        try writer.commit()
        #expect(Deadline().waits { ended.withLock { $0 != nil } })
        #expect(throws: Never.self) { try ended.withLock { $0 }?.get() }
        // Of the others it has those before its moment.
        #expect(try number("SELECT count(*) FROM noise", in: DataDirectory(path).tenant(Self.other)) == 1)
    }

    @Test("has a database that could not be opened before everything was locked; one that is missing then is damage")
    func missingAtFirst() throws {
        let (path, away) = (folder.container(Self.other.container), folder.path + "/away")
        try FileManager.default.moveItem(atPath: path, toPath: away)
        #expect(throws: StorageError.corrupt("a database is missing: \(folder.tenant(firstOfOther))")) {
            try FolderLock(folder).moment({ 1 }, waiting: { _ in })
        }
        let moment = try FolderLock(folder).moment({ 1 }, opened: { _ = rename(away, path) }, waiting: { _ in })
        #expect(moment.databases.contains { $0.tenant == Self.other })
    }

    /// The one that is locked first.
    private var firstOfOther: Tenant {
        Tenant(container: Self.other.container, environment: Environment.allCases[0])
    }

    @Test("has the container that has an id at its moment, not one that was deleted while databases were opened")
    func replaced() throws {
        try run("CREATE TABLE noise (bytes)", in: folder.tenant(Self.other))
        let engine = cloud.engine
        func replace() throws(StorageError) {
            try engine.deleteContainer(Self.other.container, at: 5)
            do { try Cloud.create(Self.other.container, in: engine) } catch { throw .failed("\(error)") }
        }
        let moment = try FolderLock(folder).moment({ 1 }, opened: replace, waiting: { _ in })
        let copied = try #require(moment.databases.first { $0.tenant == Self.other })
        #expect(try copied.snapshot.number("SELECT count(*) FROM sqlite_schema WHERE name = 'noise'") == 0)
    }

    @Test("opens as if the machine had stopped: an interrupted deletion of a container is completed in it")
    func interruptedDeletion() async throws {
        try await cloud.store().save(["note"])
        try ContainerFolders(directory: folder, tables: .server).announceDeletion(of: Self.other.container)
        let copied = try cloud.engine.backUp(to: target.path, now: { 1 }) { _ in }
        #expect(copied.unlisted == [])
        let copy = try cloud.engine.openBackup(in: target.path)
        defer { copy.close() }
        #expect(try copy.open(Self.other) == nil)
        let store = try #require(try copy.open(Cloud.tenant) as? SQLiteTenantStore)
        #expect(try store.record("note") == cloud.store().record("note"))
        #expect(try copy.checkDirectory() == [] && store.check { _, _ in } == [])
    }

    @Test("names folders with data that belong to no container of the store, and leaves them out")
    func unlisted() async throws {
        try await cloud.store().save(["note"])
        try cloud.forgetContainer()
        let copied = try cloud.engine.backUp(to: target.path, now: { 1 }) { _ in }
        #expect(Set(copied.unlisted) == [Cloud.container, Self.other.container])
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path + "/containers") == [])
    }
}
