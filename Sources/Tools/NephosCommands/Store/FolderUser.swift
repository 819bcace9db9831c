import Foundation
import NephosRunner

/// The user to whom a folder belongs, whom a process of root becomes before it opens anything in the folder: what lies there then
/// can do no more than its owner could (docs/decisions/0055).
struct FolderUser: Equatable {
    let id: uid_t
    let group: gid_t
    /// Its name, for which the system lists further groups; nil for a user without an account.
    private let name: String?

    /// The owner of a folder, or, if it is root's or not there yet, of the nearest one above that is not root's: who owns a folder
    /// above can put another one in its place. nil if this process is not to become another user, because it is not root, or all of
    /// these folders are root's.
    ///
    /// - Parameter folder: A path without links (`NoFollow.resolved`), by which the folder is opened later, too.
    init?(of folder: String) {
        guard CommandContext.current.becomesOwners, geteuid() == 0 else { return nil }
        var status = stat()
        var path = folder
        while lstat(path, &status) != 0 || status.st_uid == 0 {
            guard path != "/" else { return nil }
            path = (path as NSString).deletingLastPathComponent
            // A relative path is resolved unless its working directory is gone.
            guard !path.isEmpty else { return nil }
        }
        id = status.st_uid
        // The group of the folder is often that of whoever created it: `chown nephos DIR` leaves it to root.
        let account = getpwuid(status.st_uid)?.pointee
        name = account.map { String(cString: $0.pw_name) }
        group = account?.pw_gid ?? (status.st_gid == 0 ? gid_t(status.st_uid) : status.st_gid)
    }

    /// Makes this process run as the user, for good. All of its threads do at once: the system's library sees to that.
    ///
    /// - Throws: ``Failure`` if the system refuses; then nothing in the folder may be opened.
    func become() throws(Failure) {
        let groups =
            name.map { initgroups($0, Self.number(group)) } ?? setgroups(0, nil)
        guard groups == 0, setgid(group) == 0, setuid(id) == 0, geteuid() == id, getuid() == id, getegid() == group
        else {
            throw Failure(
                "This command runs as root, and cannot become \(shown), to whom the data belongs: \(String(cString: strerror(errno))). Run it as that user."
            )
        }
        guard setuid(0) != 0 else { throw Failure("This command could not give up the rights of root.") }
    }

    /// For messages.
    var shown: String { name.map { "user '\($0)'" } ?? "user \(id)" }

    #if canImport(Darwin)
        private static func number(_ group: gid_t) -> Int32 { Int32(bitPattern: group) }
    #else
        private static func number(_ group: gid_t) -> gid_t { group }
    #endif
}
