import Foundation
import NephosRunner
import NephosStorage

/// The user to whom a folder belongs, whom a process of root becomes before it opens anything in the folder: what lies there then
/// can do no more than its owner could (docs/decisions/0055).
struct FolderUser: Equatable {
    let id: uid_t
    let group: gid_t
    /// Its name, for which the system lists further groups; nil for a user without an account.
    private let name: String?

    /// Whether this process can become another user.
    private static var isRoot: Bool { CommandContext.current.becomesOwners && geteuid() == 0 }

    /// The owner of a folder, or, if it is root's or not there yet, of the nearest one above that is not root's: who owns a folder
    /// above can put another one in its place. nil if this process is not to become another user, because it is not root, or all of
    /// these folders are root's.
    ///
    /// - Parameter folder: A path without links (`NoFollow.resolved`), by which the folder is opened later, too.
    init?(of folder: String) {
        guard Self.isRoot else { return nil }
        var status = stat()
        var path = folder
        while lstat(path, &status) != 0 || status.st_uid == 0 {
            guard path != "/" else { return nil }
            path = (path as NSString).deletingLastPathComponent
            // A relative path is resolved unless its working directory is gone.
            guard !path.isEmpty else { return nil }
        }
        self.init(status)
    }

    /// The owner of what has this status.
    private init(_ status: stat) {
        id = status.st_uid
        // The group of the folder is often that of whoever created it: `chown nephos DIR` leaves it to root.
        let account = getpwuid(status.st_uid)?.pointee
        name = account.map { String(cString: $0.pw_name) }
        group = account?.pw_gid ?? (status.st_gid == 0 ? gid_t(status.st_uid) : status.st_gid)
    }

    /// The same for the folder of a store. If all folders are root's, the owner of the store's file counts: a server may have
    /// created it as a member of the folder's group.
    static func ofStore(_ folder: String) -> FolderUser? {
        if let user = FolderUser(of: folder) { return user }
        guard isRoot, let status = NoFollow.status("\(folder)/nephos.sqlite"), status.st_uid != 0 else { return nil }
        return FolderUser(status)
    }

    /// The user whom this process has to become before it opens anything in the folder of a store; nil if it stays who it is.
    ///
    /// - Throws: ``Failure`` if it would stay root where others can put things.
    static func entering(_ folder: String) throws(Failure) -> FolderUser? {
        if let user = ofStore(folder) { return user }
        guard isRoot, let open = openFolder(from: folder) else { return nil }
        let word = open.quotedForShell
        throw Failure(
            """
            Other users than root can put files into \(open), so what is there is not used with the rights of root. Give it to the \
            user of the server: chown USER \(word). If only root uses it, run: chmod go-w \(word)
            """)
    }

    /// The first folder, from this one up, to which others than root can write; nil if there is none.
    private static func openFolder(from folder: String) -> String? {
        var path = folder
        while !path.isEmpty {
            var status = stat()
            if lstat(path, &status) == 0 {
                // Members of the group root are trusted like root.
                let others: mode_t = status.st_gid == 0 ? S_IWOTH : S_IWGRP | S_IWOTH
                // In a folder like /tmp others cannot replace what is root's, but they can add to the store's own folder.
                let isShared = path != folder && status.st_mode & stickyBit != 0
                if status.st_mode & others != 0, !isShared { return path }
            }
            if path == "/" { return nil }
            path = (path as NSString).deletingLastPathComponent
        }
        return nil
    }

    private static let stickyBit: mode_t = 0o1000

    /// Whether a path leads through a folder of this user, who can put a link or another file there at any time.
    func controls(_ path: String) -> Bool {
        [URL(fileURLWithPath: path).path, NoFollow.resolved(above: path)].contains { path in
            FolderUser(of: (path as NSString).deletingLastPathComponent)?.id == id
        }
    }

    /// Creates a folder as root, and gives it to this user, who then fills it by its path.
    func makeFolder(_ path: String) throws(Failure) -> FolderSink {
        if let closed = closedFolder(above: NoFollow.resolved(path)) {
            throw Failure(
                """
                \(path) is filled by \(shown), who cannot enter \(closed). Run: chmod o+x \(closed.quotedForShell)
                """)
        }
        return try FolderSink(path, for: (id, group))
    }

    /// The first folder on the way to a path that this user cannot pass; nil if there is none. Lists of access beyond the mode do not
    /// count.
    private func closedFolder(above path: String) -> String? {
        let groups = groups
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            var status = stat()
            guard lstat(folder, &status) == 0 else { return nil }
            let passing: mode_t =
                if status.st_uid == id { S_IXUSR } else if groups.contains(status.st_gid) { S_IXGRP } else { S_IXOTH }
            if status.st_mode & passing == 0 { return folder }
        }
        return nil
    }

    private var groups: Set<gid_t> {
        guard let name else { return [group] }
        var count: Int32 = 1_024
        var groups = [GroupNumber](repeating: 0, count: Int(count))
        guard getgrouplist(name, Self.number(group), &groups, &count) >= 0 else { return [group] }
        return Set(groups.prefix(Int(count)).map { gid_t(truncatingIfNeeded: $0) })
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
        private typealias GroupNumber = Int32
    #else
        private typealias GroupNumber = gid_t
    #endif

    private static func number(_ group: gid_t) -> GroupNumber { GroupNumber(truncatingIfNeeded: group) }
}
