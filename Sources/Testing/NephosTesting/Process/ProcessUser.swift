import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whom a process of a test runs as.
package enum ProcessUser: Sendable {
    /// Nobody special. Tests that root runs start their processes as `nobody`: what root may do hides what users meet.
    case ordinary
    /// Whoever runs the tests.
    case caller

    /// What stands before a command so that it runs as this user. Nothing where a checkout, or the folder for temporary files,
    /// lies in one of root's own: nobody else could run what is there.
    ///
    /// - Throws: ``SystemError`` when the system has no such user, or no `setpriv`.
    func command(toRun program: String) throws -> [String] {
        guard self == .ordinary, let user = try ProcessUser.standIn, ProcessUser.isOpen(program),
            ProcessUser.isOpen(FileManager.default.temporaryDirectory.path)
        else { return [] }
        guard access(ProcessUser.setpriv, X_OK) == 0 else { throw SystemError("run \(ProcessUser.setpriv)") }
        return [ProcessUser.setpriv, "--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups", "--"]
    }

    /// Whether everybody may reach a file or folder, and enter or run it.
    private static func isOpen(_ path: String) -> Bool {
        var place = URL(fileURLWithPath: path).standardizedFileURL
        while true {
            var status = stat()
            guard stat(place.path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
            if place.path == "/" { return true }
            place.deleteLastPathComponent()
        }
    }

    /// It replaces itself by the command, so that signals reach what is meant, and keeps the environment.
    private static let setpriv = "/usr/bin/setpriv"

    /// The ordinary user in root's place; nil where the caller is one.
    static var standIn: (id: uid_t, group: gid_t)? {
        get throws {
            guard geteuid() == 0 else { return nil }
            guard let entry = getpwnam("nobody") else { throw SystemError("find the user nobody", code: ENOENT) }
            return (entry.pointee.pw_uid, entry.pointee.pw_gid)
        }
    }
}

/// Gives a file or folder, and all that lies in it, to the user that a test's processes run as. For what a test makes
/// itself, or copies, in the place of such a process.
///
/// - Throws: ``SystemError``.
package func giveToOrdinaryUser(_ path: String) throws {
    guard let user = try ProcessUser.standIn else { return }
    let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for path in [path] + inside.map({ "\(path)/\($0)" }) {
        guard lchown(path, user.id, user.group) == 0 else { throw SystemError("lchown \(path)") }
    }
}
