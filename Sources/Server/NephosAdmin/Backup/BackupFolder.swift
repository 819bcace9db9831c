import Foundation
import NephosRunner
import NephosStorage

/// The folder of a backup. Until the backup is complete, all of it is in a folder `incomplete` inside of the folder, which therefore
/// is no store.
///
/// The folder gets its name at the beginning, and not when it is complete: a process that gives up the rights of root in between
/// could not rename it, since it belongs into a folder of root.
struct BackupFolder {
    let path: String
    /// The name of the file that makes the folder a store.
    private let storeFile: String

    private static let incompleteName = "incomplete"
    var incomplete: String { "\(path)/\(Self.incompleteName)" }

    /// - Parameter path: A new or empty folder, which only its owner can read.
    /// - Throws: ``Failure``, which says what to do.
    init(_ path: String, storeFile: String) throws(Failure) {
        (self.path, self.storeFile) = (path, storeFile)
        guard mkdir(incomplete, 0o700) == 0 else { throw Self.failure("create", incomplete) }
        try Self.synchronize(path)
    }

    /// Refuses paths that cannot be the folder of a backup.
    ///
    /// - Parameter others: Folders inside of which it may not be.
    static func check(_ path: String, outsideOf others: [String]) throws(Failure) {
        for other in others {
            guard "\(NoFollow.resolved(path))/".hasPrefix("\(NoFollow.resolved(other))/") else { continue }
            // It may have been created before the store was opened.
            rmdir(path)
            throw Failure(
                "\(path) is inside of \(other), which is to be backed up. Pass a folder outside of it.",
                kind: .wrongUsage)
        }
        if PathKind("\(path)/\(incompleteName)") == .folder {
            throw Failure("\(path) has a backup that was not completed. Pass a new folder, or remove this one first.")
        }
    }

    /// Makes the backup complete: the file that makes the folder a store gets its place last, when all others have theirs on the disk.
    func complete() throws(Failure) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: incomplete) } catch {
            throw Failure("Cannot list \(incomplete): \(error.localizedDescription)")
        }
        for name in names where name != storeFile { try move(name) }
        try Self.synchronize(path)
        try move(storeFile)
        guard rmdir(incomplete) == 0 else { throw Self.failure("remove", incomplete) }
        try Self.synchronize(path)
    }

    private func move(_ name: String) throws(Failure) {
        guard rename("\(incomplete)/\(name)", "\(path)/\(name)") == 0 else { throw Self.failure("rename", name) }
    }

    /// Removes everything. What cannot be removed is in ``incomplete``, or is an empty folder.
    func remove() {
        try? FileManager.default.removeItem(atPath: incomplete)
        rmdir(path)
    }

    private static func synchronize(_ folder: String) throws(Failure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("synchronize", folder) }
    }

    private static func failure(_ action: String, _ path: String) -> Failure {
        switch errno {
        case ENOSPC, EDQUOT: Failure(StorageError.full.description)
        case EACCES, EPERM: Failure("Cannot \(action) \(path): \(FolderOwner.explain(path)).")
        default: Failure("Cannot \(action) \(path): \(String(cString: strerror(errno))).")
        }
    }
}
