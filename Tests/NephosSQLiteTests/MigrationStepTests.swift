import CSQLite
import Foundation
import NephosStorage
import NephosTesting
import Synchronization
import Testing

@testable import NephosSQLite

@Suite("One migration step of a file's tables") struct MigrationStepTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/x.sqlite" }
    private let one = Migration(identifier: "1", sql: "CREATE TABLE one (x INTEGER)")

    init() throws {
        folder = try TemporaryFolder()
        try StoreFile.create(path, Migrations(name: "test", steps: [one])) { _ throws(StorageError) in }
    }

    private func connect(_ settings: [String] = Tuning.writer) throws -> NephosSQLite.Connection {
        try Connection(path: path, access: .write, settings: settings)
    }

    @Test("a failed step leaves nothing and is not recorded as done; earlier ones stay")
    func failing() throws {
        let two = Migration(identifier: "2", sql: "CREATE TABLE two (x INTEGER)")
        let broken = Migration(
            identifier: "3", sql: "INSERT INTO one VALUES (7); CREATE TABLE three (x INTEGER); DROP TABLE none")
        let connection = try connect()
        #expect(throws: StorageError.self) {
            try Migrations(name: "test", steps: [one, two, broken]).run(on: connection)
        }
        #expect(try tables(connection) == ["grdb_migrations", "one", "two"])
        #expect(try connection.number("SELECT count(*) FROM one") == 0)
        #expect(try Migrations(name: "test", steps: [one, two]).areDone(connection))
    }

    @Test("two connections that run the same steps at the same time both succeed, and each step is done once")
    func racing() throws {
        let more = (2...60).map { number in
            Migration(identifier: "\(number)", sql: "CREATE TABLE t\(number) (x); INSERT INTO one VALUES (\(number))")
        }
        let migrations = Migrations(name: "test", steps: [one] + more)
        let connections = try (0..<2).map { _ in try connect(["PRAGMA synchronous = OFF"]) }
        let failures = Mutex<[StorageError]>([])
        DispatchQueue.concurrentPerform(iterations: connections.count) { index in
            do throws(StorageError) { try migrations.run(on: connections[index]) } catch {
                failures.withLock { $0.append(error) }
            }
        }
        #expect(failures.withLock(\.self) == [])
        for connection in connections { #expect(try migrations.areDone(connection)) }
        #expect(try connections[0].number("SELECT count(*) * 100 + count(DISTINCT x) FROM one") == 5_959)
    }

    @Test("a process killed before the step's commit leaves nothing of it, and the next one completes it")
    func killed() throws {
        let fill = """
            CREATE TABLE two (x BLOB);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO two SELECT randomblob(5000) FROM n
            """
        let migrations = Migrations(name: "test", steps: [one, Migration(identifier: "2", sql: fill)])
        let left = Leftovers(of: path)
        do {
            // With a small cache, pages are on the disk long before the commit.
            let connection = try connect(Tuning.writer + ["PRAGMA cache_size = 5"])
            left.collect(from: connection)
            try migrations.run(on: connection)
        }
        try left.restore()
        #expect(left.logBytes > 500_000)
        let connection = try connect()
        #expect(try tables(connection) == ["grdb_migrations", "one"])
        #expect(try !migrations.areDone(connection))
        try migrations.run(on: connection)
        #expect(try connection.number("SELECT count(*) FROM two") == 200)
    }

    @Test("completed steps are recorded in the table that servers of all versions read")
    func list() throws {
        let connection = try connect()
        var cursor = try connection.once("SELECT sql FROM sqlite_schema WHERE name = 'grdb_migrations'")
        #expect(try cursor.next())
        #expect(cursor.string(0) == "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        #expect(try connection.number("SELECT count(*) FROM grdb_migrations WHERE identifier = '1'") == 1)
    }

    @Test("no table has foreign keys, which steps would have to defer", arguments: ["tenant", "directory"])
    func foreignKeys(_ name: String) throws {
        let path = "\(folder.path)/\(name).sqlite"
        let migrations: Migrations = name == "tenant" ? .tenant(.server) : .directory(.server)
        try StoreFile.create(path, migrations) { _ throws(StorageError) in }
        let connection = try Connection(path: path, access: .read, settings: [])
        #expect(
            try connection.number("SELECT count(*) FROM sqlite_schema AS t, pragma_foreign_key_list(t.name)") == 0)
    }

    private func tables(_ connection: NephosSQLite.Connection) throws -> [String] {
        var cursor = try connection.once("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        var names: [String] = []
        while try cursor.next() { names.append(cursor.string(0)) }
        return names
    }
}

/// The content of a file and its log on the disk just before a commit: what a process leaves when it is killed there.
private final class Leftovers {
    private let paths: [String]
    private var contents: [Data?] = []

    init(of path: String) { paths = [path, "\(path)-wal"] }

    var logBytes: Int { contents.last??.count ?? 0 }

    /// Copies the files before each commit of the connection; the last copy is kept. The connection must not outlive this object.
    func collect(from connection: NephosSQLite.Connection) {
        let look: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { pointer in
            guard let pointer else { return 1 }
            let leftovers = Unmanaged<Leftovers>.fromOpaque(pointer).takeUnretainedValue()
            leftovers.contents = leftovers.paths.map(FileManager.default.contents(atPath:))
            return 0
        }
        sqlite3_commit_hook(connection.handle, look, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Restores the files, after the connection was closed.
    func restore() throws {
        for (path, content) in zip(paths, contents) {
            try content?.write(to: URL(fileURLWithPath: path))
        }
    }
}
