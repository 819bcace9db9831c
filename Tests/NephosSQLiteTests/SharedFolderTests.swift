import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Several engines on one folder") struct SharedFolderTests {
    @Test("see each other's records and catalog changes at the next snapshot")
    func shared() async throws {
        let cloud = try Cloud()
        let other = try SQLiteEngine(directory: cloud.folder.path)
        defer { other.close() }
        let (here, there) = (try cloud.store(), try cloud.store(other))
        try await here.save(["note"], fields: "{}")
        #expect(try there.record("note") == here.record("note"))

        let before = try there.read(ReadSet()).catalog
        #expect(try there.read(ReadSet()).catalog === before)
        try await here.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(new: .type(RecordTypeRow(number: 2, name: "Task")))]
            return .write(writes, ())
        }
        let after = try there.read(ReadSet()).catalog
        #expect(after.version == before.version + 1)
        #expect(after.types["Task"]?.row.number == 2)
    }

    @Test("a catalog change that was rolled back is never cached")
    func rolledBackCatalog() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        await #expect(throws: StorageError.self) {
            try await store.commit(ReadSet()) { _ in
                var writes = WriteSet()
                // The second is rejected by the table, which rolls the first back, too.
                writes.catalog = [
                    CatalogWrite(new: .type(RecordTypeRow(number: 2, name: "Lost"))),
                    CatalogWrite(new: .type(RecordTypeRow(number: 2, name: "Twice"))),
                ]
                return .write(writes, ())
            }
        }
        try await store.commit(ReadSet()) { reading in
            #expect(reading.catalog.types["Lost"] == nil)
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(new: .type(RecordTypeRow(number: 2, name: "Kept")))]
            return .write(writes, ())
        }
        let catalog = try store.read(ReadSet()).catalog
        #expect(catalog.version == 2)
        #expect(catalog.types["Kept"] != nil && catalog.types["Lost"] == nil)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a container that one deletes is gone for the other, which cannot damage a new one of its name")
    func deletion() async throws {
        let cloud = try Cloud()
        let other = try SQLiteEngine(directory: cloud.folder.path)
        defer { other.close() }
        let stale = try cloud.store(other)
        try await stale.save(["note"])

        try cloud.engine.deleteContainer(Cloud.container, at: 5)
        #expect(throws: StorageError.noSuchTenant) { try stale.read(ReadSet()) }
        await #expect(throws: StorageError.noSuchTenant) { try await stale.save(["late"]) }
        #expect(other.opened(Cloud.tenant) == nil)
        #expect(try other.open(Cloud.tenant) == nil)
        #expect(throws: StorageError.noSuchTenant) { try other.deleteContainer(Cloud.container, at: 6) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cloud.folder.path)/containers") == [])

        try Cloud.create(in: cloud.engine)
        let fresh = try cloud.store()
        try await fresh.save(["fresh"])
        stale.close()
        #expect(try fresh.record("note") == nil)
        #expect(try cloud.store(other).record("fresh") == fresh.record("fresh"))
        #expect(try fresh.check { _, _ in } == [])
    }

    @Test("leftovers of an interrupted creation or deletion are removed")
    func leftovers() throws {
        let cloud = try Cloud()
        let containers = "\(cloud.folder.path)/containers"
        for name in [".new-1", ".gone-2"] {
            try FileManager.default.createDirectory(atPath: "\(containers)/\(name)", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(containers)/\(name)/development.sqlite"))
        }
        let other = try SQLiteEngine(directory: cloud.folder.path)
        defer { other.close() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: containers) == [Cloud.container])
    }

    @Test("a container whose creation died before it was listed can be created again")
    func diedCreation() throws {
        let cloud = try Cloud()
        try cloud.forgetContainer()
        #expect(try cloud.engine.open(Cloud.tenant) == nil)
        #expect(try cloud.engine.checkDirectory().contains { $0.table == "containers" })
        try Cloud.create(in: cloud.engine)
        #expect(throws: Never.self) { try cloud.store() }
    }

    @Test("a creation that died before it was listed is removed when the folder is reopened, and the check is clean")
    func diedCreationIsTidied() throws {
        let cloud = try Cloud()
        try cloud.forgetContainer()
        let again = try SQLiteEngine(directory: cloud.folder.path)
        defer { again.close() }
        #expect(try again.checkDirectory() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cloud.folder.path)/containers") == [])
    }

    @Test("an interrupted deletion is completed when the folder is reopened")
    func diedDeletionIsTidied() async throws {
        let cloud = try Cloud()
        try await cloud.store().save(["note"])
        let folders = ContainerFolders(directory: DataDirectory(cloud.folder.path), tables: .server)
        try folders.announceDeletion(of: Cloud.container)
        let again = try SQLiteEngine(directory: cloud.folder.path)
        defer { again.close() }
        #expect(try again.containers() == [])
        #expect(try again.checkDirectory() == [])
        #expect(throws: StorageError.noSuchTenant) { try cloud.store().read(ReadSet()) }
    }

    @Test("data of a container that is not listed is never removed, and is reported as a conflict")
    func unlistedData() async throws {
        let cloud = try Cloud()
        try await cloud.store().save(["note"])
        cloud.engine.close()
        try FileManager.default.removeItem(atPath: DataDirectory(cloud.folder.path).directoryFile)

        let again = try SQLiteEngine(directory: cloud.folder.path)
        defer { again.close() }
        #expect(try again.containers() == [])
        #expect(throws: StorageError.self) { try Cloud.create(in: again) }
        #expect(FileManager.default.fileExists(atPath: cloud.file))
    }

    @Test("a container can be deleted even if its file is unreadable")
    func deletionOfDamaged() throws {
        let cloud = try Cloud()
        cloud.engine.close()
        try Data(repeating: 0xAA, count: 8_192).write(to: URL(fileURLWithPath: cloud.file))
        let again = try SQLiteEngine(directory: cloud.folder.path)
        defer { again.close() }
        #expect(throws: StorageError.self) { try again.open(Cloud.tenant) }
        try again.deleteContainer(Cloud.container, at: 5)
        #expect(try again.containers() == [])
        #expect(try again.checkDirectory() == [])
    }

    @Test("only one of them serves, until its lock is released")
    func serving() throws {
        let cloud = try Cloud()
        let other = try SQLiteEngine(directory: cloud.folder.path)
        defer { other.close() }
        do {
            let lock = try cloud.engine.lockForServing()
            #expect(throws: StorageError.self) { try other.lockForServing() }
            withExtendedLifetime(lock) {}
        }
        #expect(throws: Never.self) { try other.lockForServing() }
    }

    @Test("accounts and containers have unique names")
    func unique() throws {
        let cloud = try Cloud()
        #expect(throws: StorageError.exists) { try Cloud.create(in: cloud.engine) }
        let account = AccountRow(id: "A", email: "a@example.org", givenName: "A", familyName: "B", createdAt: 1)
        try cloud.engine.createAccount(account)
        #expect(throws: StorageError.exists) { try cloud.engine.createAccount(account) }
        #expect(try cloud.engine.account(email: "a@example.org") == account)
        #expect(try cloud.engine.account(id: "A") == account)
        #expect(try cloud.engine.account(id: "B") == nil)
        #expect(try cloud.engine.checkDirectory() == [])
    }

    @Test(
        "an id that is not a valid folder name is rejected",
        arguments: ["", ".", "..", ".hidden", "a/b", "../x", "a b", "ä", "a\u{0}", String(repeating: "a", count: 256)])
    func unsafe(id: String) throws {
        let cloud = try Cloud()
        #expect(throws: StorageError.self) { try Cloud.create(id, in: cloud.engine) }
        #expect(try cloud.engine.open(Tenant(container: id, environment: .development)) == nil)
    }
}

@Suite("Open tenants") struct OpenTenantsTests {
    @Test("the least recently used one is closed, but none that is still in use")
    func leastRecentlyUsed() throws {
        var options = SQLiteOptions()
        options.openTenants = 2
        let cloud = try Cloud(options: options)
        for container in ["b", "c", "d"] { try Cloud.create(container, in: cloud.engine) }
        func tenant(_ container: String) -> Tenant { Tenant(container: container, environment: .development) }

        let held = try cloud.store()
        for container in ["b", "c", "d"] { _ = try cloud.engine.open(tenant(container)) }
        #expect(cloud.engine.opened(Cloud.tenant) === held)
        #expect(cloud.engine.opened(tenant("b")) == nil)
        #expect(cloud.engine.opened(tenant("c")) == nil)
        #expect(cloud.engine.opened(tenant("d")) != nil)
        #expect(throws: Never.self) { try held.read(ReadSet()) }
    }
}
