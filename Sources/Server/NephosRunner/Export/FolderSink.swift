import Foundation
import Synchronization

/// Writes an export into a folder, which only its owner may read.
package final class FolderSink: ExportSink {
    private let folder: URL
    private let open = Mutex<FileHandle?>(nil)

    /// Creates the folder, which must not exist or must be empty.
    ///
    /// - Throws: ``Failure``, which says what to do.
    package init(_ path: String) throws(Failure) {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        if PathKind(path) == .file {
            throw Failure("\(path) is a file. Pass an empty folder, or one that does not exist yet.")
        }
        let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard found.isEmpty else {
            throw Failure("\(path) is not empty. Pass an empty folder, or one that does not exist yet.")
        }
        do { try make(folder) } catch { throw Failure("\(path) cannot be created: \(error.localizedDescription)") }
    }

    private func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    package func begin(_ name: String) async throws {
        let file = folder.appendingPathComponent(name)
        try make(file.deletingLastPathComponent())
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw Failure("\(file.path) cannot be written.") }
        let handle = try FileHandle(forWritingTo: file)
        open.withLock { $0 = handle }
    }

    package func write(_ bytes: [UInt8]) async throws {
        try open.withLock { try $0?.write(contentsOf: bytes) }
    }

    package func end() async throws {
        try open.withLock { open in
            try open?.synchronize()
            try open?.close()
            open = nil
        }
    }
}
