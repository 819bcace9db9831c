package import Foundation
import NephosStorage
import Synchronization

/// Writes an export into a folder, which only its owner may read.
package final class FolderSink: ExportSink {
    private let folder: OpenFolder
    private let isNew: Bool
    private let open = Mutex<FileHandle?>(nil)

    /// Absolute, without links.
    package var path: String { folder.path }

    /// Creates the folder. The one above it must exist; an existing one must be empty, and closed to other users.
    ///
    /// - Parameter owner: The user and the group that a new folder is given to, if this process is about to become that user.
    /// - Throws: ``Failure``, which says what to do.
    package init(_ path: String, for owner: (user: uid_t, group: gid_t)? = nil) throws(Failure) {
        if PathKind(path) == .file {
            throw Failure("\(path) is a file. Pass an empty folder, or one that does not exist yet.")
        }
        // Once: whoever may write to the folder above can put a link in the place of what is there by then.
        let resolved = NoFollow.resolved(path)
        if let new = OpenFolder(creating: resolved) {
            try Self.check(new, path, geteuid())
            if let owner, fchown(new.descriptor, owner.user, owner.group) != 0 {
                let reason = String(cString: strerror(errno))
                Self.remove(resolved)
                throw Failure("\(path) cannot be given to the owner of the data: \(reason).")
            }
            (folder, isNew) = (new, true)
            return
        }
        guard errno == EEXIST else { throw Self.uncreated(path, errno) }
        guard let found = OpenFolder(resolved) else {
            throw Failure("\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        try Self.check(found, path, owner?.user ?? geteuid())
        (folder, isNew) = (found, false)
    }

    /// Removes the folder again, if it did not exist before and nothing is in it. A process that has given up the rights of root may
    /// not be able to.
    package func removeIfNew() {
        if isNew { Self.remove(folder.path) }
    }

    private static func remove(_ path: String) { _ = NoFollow.at(path) { unlinkat($0, $1, AT_REMOVEDIR) } }

    private static func uncreated(_ path: String, _ code: Int32) -> Failure {
        switch code {
        case ENOENT:
            let above = URL(fileURLWithPath: path).deletingLastPathComponent().path
            return Failure("\(path) cannot be created: there is no folder \(above). Create it first.")
        case ENOSPC, EDQUOT: return Failure(StorageError.full.description)
        default: return Failure("\(path) cannot be created: \(String(cString: strerror(code))).")
        }
    }

    private static func check(_ folder: OpenFolder, _ path: String, _ user: uid_t) throws(Failure) {
        guard NoFollow.names(folder.path, below: folder)?.isEmpty == true else {
            throw Failure("\(path) is not empty. Pass an empty folder, or one that does not exist yet.")
        }
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0, status.st_uid == user else {
            throw Failure("\(path) belongs to another user. Pass a folder that does not exist yet.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(
                "Other users can see what is in \(path). Run: chmod 700 \(path.quotedForShell). Or pass a folder that does not exist yet."
            )
        }
    }

    package func begin(_ name: String) async throws {
        let path = "\(folder.path)/\(name)"
        var above = folder.path
        for part in name.split(separator: "/").dropLast() {
            above += "/\(part)"
            guard NoFollow.at(above, below: folder, { mkdirat($0, $1, 0o700) }) == 0 || errno == EEXIST else {
                throw unwritable(above)
            }
        }
        let file = NoFollow.at(path, below: folder) {
            openat($0, $1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { throw unwritable(path) }
        open.withLock { $0 = FileHandle(fileDescriptor: file, closeOnDealloc: true) }
    }

    private func unwritable(_ path: String) -> Failure {
        Failure("\(path) cannot be written: \(String(cString: strerror(errno))).")
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
