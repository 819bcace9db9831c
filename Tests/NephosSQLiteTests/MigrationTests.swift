import NephosStorage
import NephosTesting
import Testing

@testable import NephosSQLite

@Suite("Tables of other versions") struct MigrationTests {
    private let first = Migrations(
        name: "test",
        steps: [Migration(identifier: "1", sql: "CREATE TABLE one (x INTEGER); INSERT INTO one VALUES (7)")])
    private var second: Migrations {
        Migrations(
            name: "test",
            steps: first.steps + [Migration(identifier: "2", sql: "ALTER TABLE one ADD COLUMN y INTEGER DEFAULT 8")])
    }

    @Test("an older file is migrated when it is opened, with its rows")
    func older() throws {
        let folder = try TemporaryFolder()
        let directory = DataDirectory(folder.path)
        try StoreFile.create("\(folder.path)/x.sqlite", first) { _ throws(StorageError) in }
        let connection = try StoreFile.open("\(folder.path)/x.sqlite", second, in: directory)
        #expect(try connection.number("SELECT x * 10 + y FROM one") == 78)
    }

    @Test("a failing step leaves the file unchanged")
    func broken() throws {
        let folder = try TemporaryFolder()
        let directory = DataDirectory(folder.path)
        try StoreFile.create("\(folder.path)/x.sqlite", first) { _ throws(StorageError) in }
        let broken = Migrations(
            name: "test", steps: first.steps + [Migration(identifier: "2", sql: "DROP TABLE one; DROP TABLE none")])
        #expect(throws: StorageError.self) { try StoreFile.open("\(folder.path)/x.sqlite", broken, in: directory) }
        let connection = try StoreFile.open("\(folder.path)/x.sqlite", first, in: directory)
        #expect(try connection.number("SELECT x FROM one") == 7)
    }

    @Test("a file of a newer server is rejected with a clear message")
    func newer() throws {
        let folder = try TemporaryFolder()
        let directory = DataDirectory(folder.path)
        try StoreFile.create("\(folder.path)/x.sqlite", second) { _ throws(StorageError) in }
        #expect(
            throws: StorageError.newer("this test file was created by a newer server (step '2'): update the server")
        ) {
            try StoreFile.open("\(folder.path)/x.sqlite", first, in: directory)
        }
    }

    @Test("a tenant of a newer server is rejected and not changed")
    func newerTenant() throws {
        let cloud = try Cloud()
        try cloud.meddle("INSERT INTO grdb_migrations VALUES ('9 wonders')")
        #expect {
            try cloud.engine.open(Cloud.tenant)
        } throws: { error in
            guard case .newer = error as? StorageError else { return false }
            return true
        }
    }
}
