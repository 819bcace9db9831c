import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Durability of acknowledged commits") struct DurabilityTests {
    @Test(
        "the writer waits for the disk at every commit",
        arguments: [("synchronous", 2), ("page_size", Int64(Tuning.pageSize)), ("secure_delete", 2)])
    func settings(of pragma: String, is expected: Int64) async throws {
        let cloud = try Cloud()
        let value = try await cloud.store().perform { session throws(StorageError) in
            try session.connection.number("PRAGMA \(pragma)")
        }
        #expect(value == expected)
    }

    @Test("a tenant's file and the list of containers keep their log in WAL mode")
    func journal() throws {
        let cloud = try Cloud()
        for path in [cloud.file, DataDirectory(cloud.folder.path).directoryFile] {
            let connection = try Connection(path: path, access: .read, settings: [])
            var cursor = try connection.once("PRAGMA journal_mode")
            #expect(try cursor.next())
            #expect(cursor.string(0) == "wal", "\(path)")
        }
    }

    @Test("files and folders are accessible to their owner only, including those that SQLite adds")
    func permissions() async throws {
        let cloud = try Cloud()
        try await cloud.store().save(["a"])
        let paths = try FileManager.default.subpathsOfDirectory(atPath: cloud.folder.path)
        #expect(paths.contains { $0.hasSuffix("-wal") })
        for path in paths {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(cloud.folder.path)/\(path)")
            let mode = try #require(attributes[.posixPermissions] as? Int)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(mode == (isFolder ? 0o700 : 0o600), "\(path)")
        }
    }
}
