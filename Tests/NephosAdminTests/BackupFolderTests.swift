import Foundation
import NephosRunner
import NephosTesting
import Testing

@testable import NephosAdmin

/// docs/decisions/0054.
@Suite("The folder of a backup") struct BackupFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "nephos-backup-folder") }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    @Test("If it cannot be completed, everything is in its folder for incomplete backups again") func undone() throws {
        let backup = try BackupFolder(try FolderSink(folder.path + "/backup"), storeFile: "nephos.sqlite")
        try writeFile(backup.incomplete + "/nephos.sqlite", [1])
        for name in ["a", "b", "c", "d"] {
            try FileManager.default.createDirectory(
                atPath: "\(backup.incomplete)/\(name)", withIntermediateDirectories: false)
        }
        // One cannot be moved there.
        try FileManager.default.createDirectory(atPath: backup.path + "/c/full", withIntermediateDirectories: true)
        #expect(throws: Failure.self) { try backup.complete() }
        #expect(try names(backup.incomplete) == ["a", "b", "c", "d", "nephos.sqlite"])
        #expect(try names(backup.path) == ["c", "incomplete"])
    }

    @Test("Only a folder that it has made is removed with it") func removal() throws {
        let new = try BackupFolder(try FolderSink(folder.path + "/new"), storeFile: "nephos.sqlite")
        new.remove()
        let path = folder.path + "/there"
        guard mkdir(path, 0o700) == 0 else { throw SystemError("mkdir") }
        let there = try BackupFolder(try FolderSink(path), storeFile: "nephos.sqlite")
        there.remove()
        #expect(try names(folder.path) == ["there"] && names(path) == [])
    }
}
