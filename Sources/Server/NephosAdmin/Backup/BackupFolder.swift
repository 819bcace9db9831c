import Foundation
import NephosRunner
import NephosStorage

/// The folder of a backup. Until the backup is complete, all of it is in a folder `incomplete` inside of the folder, which therefore
/// is no store.
///
/// The folder gets its name at the beginning, and not when it is complete: a process that gives up the rights of root in between
/// could not rename it, since it belongs into a folder of root.
package struct BackupFolder {
    private let sink: FolderSink
    /// The name of the file that makes the folder a store.
    private let storeFile: String

    private static let incompleteName = "incomplete"
    var path: String { sink.path }
    var incomplete: String { "\(path)/\(Self.incompleteName)" }

    /// - Parameter sink: A new or empty folder, which only its owner can read.
    /// - Throws: ``Failure``, which says what to do; then a new folder is removed again.
    init(_ sink: FolderSink, storeFile: String) throws(Failure) {
        (self.sink, self.storeFile) = (sink, storeFile)
        do throws(Failure) {
            guard mkdir(incomplete, 0o700) == 0 else { throw Self.failure("create", incomplete) }
            try Self.synchronize(path)
        } catch {
            remove()
            throw error
        }
    }

    /// Whether a folder has a backup that was not completed.
    package static func isUnfinished(_ path: String) -> Bool { PathKind("\(path)/\(incompleteName)") == .folder }

    /// Refuses paths that cannot be the folder of a backup.
    ///
    /// - Parameter others: Folders inside of which it may not be.
    static func check(_ path: String, outsideOf others: [String]) throws(Failure) {
        for other in others {
            guard "\(NoFollow.resolved(path))/".hasPrefix("\(NoFollow.resolved(other))/") else { continue }
            throw Failure(
                "\(path) is inside of \(other), which is to be backed up. Pass a folder outside of it.",
                kind: .wrongUsage)
        }
        if isUnfinished(path) {
            throw Failure("\(path) has a backup that was not completed. Pass a new folder, or remove this one first.")
        }
    }

    /// Makes the backup complete: the file that makes the folder a store gets its place last, when all others have theirs on the disk.
    ///
    /// - Throws: ``Failure``; then everything is in ``incomplete`` again, as far as possible.
    func complete() throws(Failure) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: incomplete) } catch {
            throw Failure("Cannot list \(incomplete): \(error.localizedDescription)")
        }
        var moved: [String] = []
        do throws(Failure) {
            for name in names where name != storeFile {
                try move(name)
                moved.append(name)
            }
            try Self.synchronize(path)
            try move(storeFile)
        } catch {
            for name in moved { rename("\(path)/\(name)", "\(incomplete)/\(name)") }
            throw error
        }
        guard rmdir(incomplete) == 0 else { throw Self.failure("remove", incomplete) }
        try Self.synchronize(path)
    }

    private func move(_ name: String) throws(Failure) {
        guard rename("\(incomplete)/\(name)", "\(path)/\(name)") == 0 else { throw Self.failure("rename", name) }
    }

    /// Removes everything. What cannot be removed is in ``incomplete``, or is an empty folder.
    func remove() {
        try? FileManager.default.removeItem(atPath: incomplete)
        sink.removeIfNew()
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
