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
        let copied = try cloud.engine.backUp(to: target.path, now: { 7 }) { _, done, total throws(StorageError) in
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
        Thread.detachNewThread {
            let result = Result { try engine.backUp(to: path, now: { 1 }) { _, _, _ in } }
            ended.withLock { $0 = result }
        }
        let others = [folder.directoryFile, folder.tenant(Cloud.tenant)]
        for path in others { try run("CREATE TABLE noise (bytes)", in: path) }
        for _ in 0..<50 { for path in others { try run("INSERT INTO noise VALUES (1)", in: path) } }
        #expect(ended.withLock { $0 } == nil)
        try writer.commit()
        #expect(Deadline(seconds: 60).waits { ended.withLock { $0 != nil } })
        #expect(throws: Never.self) { try ended.withLock { $0 }?.get() }
        // Of the others it has those before its moment.
        #expect(try number("SELECT count(*) FROM noise", in: DataDirectory(path).tenant(Self.other)) == 1)
    }

    @Test("opens as if the machine had stopped: an interrupted deletion of a container is completed in it")
    func interruptedDeletion() async throws {
        try await cloud.store().save(["note"])
        try ContainerFolders(directory: folder, tables: .server).announceDeletion(of: Self.other.container)
        let copied = try cloud.engine.backUp(to: target.path, now: { 1 }) { _, _, _ in }
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
        let copied = try cloud.engine.backUp(to: target.path, now: { 1 }) { _, _, _ in }
        #expect(Set(copied.unlisted) == [Cloud.container, Self.other.container])
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path + "/containers") == [])
    }
}
