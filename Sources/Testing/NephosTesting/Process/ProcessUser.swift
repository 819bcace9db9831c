import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The user that a process of a test runs as.
package enum ProcessUser: Sendable {
    /// An unprivileged user. If root runs tests, their processes run as `nobody`, because root's privileges hide what users
    /// encounter.
    case ordinary
    /// The user who runs the tests.
    case caller

    /// The command prefix that runs a program as this user. Empty if the checkout, or the temporary folder, is in a folder that
    /// only root can access: no other user could run the program.
    ///
    /// - Throws: ``SystemError`` if the system has no such user, or no `setpriv`.
    func command(toRun program: String) throws -> [String] {
        guard self == .ordinary, let user = try ProcessUser.standIn, ProcessUser.isOpen(program),
            ProcessUser.isOpen(FileManager.default.temporaryDirectory.path)
        else { return [] }
        guard access(ProcessUser.setpriv, X_OK) == 0 else { throw SystemError("run \(ProcessUser.setpriv)") }
        return [ProcessUser.setpriv, "--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups", "--"]
    }

    /// Whether everybody can reach a file or folder, and execute or enter it.
    private static func isOpen(_ path: String) -> Bool {
        var place = URL(fileURLWithPath: path).standardizedFileURL
        while true {
            var status = stat()
            guard stat(place.path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
            if place.path == "/" { return true }
            place.deleteLastPathComponent()
        }
    }

    /// It replaces itself with the command, so that signals reach the program, and keeps the environment.
    private static let setpriv = "/usr/bin/setpriv"

    /// The unprivileged user that replaces root; nil if the caller is not root.
    static var standIn: (id: uid_t, group: gid_t)? {
        get throws {
            guard geteuid() == 0 else { return nil }
            guard let entry = getpwnam("nobody") else { throw SystemError("find the user nobody", code: ENOENT) }
            return (entry.pointee.pw_uid, entry.pointee.pw_gid)
        }
    }
}

/// Changes the owner of a file or folder, and of everything in it, to the user of a test's processes. For files that a test creates
/// or copies on behalf of such a process.
///
/// - Throws: ``SystemError``.
package func giveToOrdinaryUser(_ path: String) throws {
    guard let user = try ProcessUser.standIn else { return }
    let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for path in [path] + inside.map({ "\(path)/\($0)" }) {
        guard lchown(path, user.id, user.group) == 0 else { throw SystemError("lchown \(path)") }
    }
}

/// Creates or replaces a file with a secret, which only the user of a test's processes can read.
///
/// - Throws: Foundation's file errors, ``SystemError``.
package func writeSecret(_ path: String, _ text: String) throws {
    try writeFile(path, Array(text.utf8))
    guard chmod(path, 0o600) == 0 else { throw SystemError("chmod \(path)") }
    try giveToOrdinaryUser(path)
}
