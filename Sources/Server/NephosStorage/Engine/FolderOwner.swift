#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Gives what a process creates as root to the owner of the folder, so that a server that runs as an ordinary user can read it.
///
/// `nephos` itself runs as the owner by then (docs/decisions/0055); this is for other programs, and for tests.
package enum FolderOwner {
    /// Gives a file the owner of its folder. Does nothing unless the process runs as root, since only root may change
    /// owners.
    ///
    /// - Parameters:
    ///   - file: The open file or folder, which this process has just created. What was found may be another user's link, or a
    ///     second name for a file of root.
    ///   - path: The path of the file.
    /// - Returns: 0, or the system's error code.
    package static func takes(_ file: Int32, at path: String) -> Int32 {
        guard geteuid() == 0 else { return 0 }
        var above = stat()
        var own = stat()
        guard NoFollow.at(path, { folder, _ in fstatat(folder, ".", &above, 0) }) == 0, fstat(file, &own) == 0 else {
            return errno
        }
        guard above.st_uid != own.st_uid || above.st_gid != own.st_gid else { return 0 }
        return fchown(file, above.st_uid, above.st_gid) == 0 ? 0 : errno
    }

    /// Gives a folder that this process has just created the owner of the folder that contains it.
    ///
    /// - Returns: 0, or the system's error code.
    package static func takesFolder(at path: String) -> Int32 {
        guard geteuid() == 0 else { return 0 }
        let folder = NoFollow.at(path) { openat($0, $1, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard folder >= 0 else { return errno }
        defer { close(folder) }
        return takes(folder, at: path)
    }

    /// Explains in a message why this process has no access to a file: names its user, and the owner of the file.
    package static func explain(_ path: String) -> String {
        var status = stat()
        let user = name(of: geteuid())
        guard lstat(path, &status) == 0 else { return "this process runs as \(user)" }
        return "this process runs as \(user), but the path belongs to \(name(of: status.st_uid))"
    }

    private static func name(of user: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 4_096)
        guard getpwuid_r(user, &entry, &texts, texts.count, &found) == 0, let found, let name = found.pointee.pw_name
        else { return "user \(user)" }
        return "user '\(String(cString: name))'"
    }
}
