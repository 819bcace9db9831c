import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The calls to the file system that SQLite does not make for us. Files and folders that they create are accessible only to the owner.
/// None follows a symbolic link: paths are below a ``DataDirectory``, which has none.
enum FileSystem {
    /// Creates a folder and its parents; an existing folder is not an error.
    static func createFolder(_ path: String) throws(StorageError) {
        if makesFolder(path) { return try finishFolder(path) }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let parent = folder(above: path) else { throw failure("create the folder", path) }
            try createFolder(parent)
            if makesFolder(path) { return try finishFolder(path) }
            guard errno == EEXIST else { throw failure("create the folder", path) }
        default: throw failure("create the folder", path)
        }
    }

    private static func makesFolder(_ path: String) -> Bool { NoFollow.at(path) { mkdirat($0, $1, 0o700) } == 0 }

    private static func finishFolder(_ path: String) throws(StorageError) {
        let code = FolderOwner.takesFolder(at: path)
        guard code == 0 else { throw failure("change the owner of the folder", path, code) }
        try synchronizeFolder(above: path)
    }

    /// Creates an empty file; the files that SQLite creates next to it get its permissions.
    static func createFile(_ path: String) throws(StorageError) {
        close(try newFile(path))
    }

    private static func newFile(_ path: String) throws(StorageError) -> Int32 {
        let file = NoFollow.at(path) { openat($0, $1, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard file >= 0 else { throw failure("create the file", path) }
        let code = FolderOwner.takes(file, at: path)
        guard code == 0 else {
            close(file)
            throw failure("change the owner of the file", path, code)
        }
        return file
    }

    /// Creates a file with content, complete and on the disk when this returns.
    static func createFile(_ path: String, containing bytes: [UInt8]) throws(StorageError) {
        let file = try newFile(path)
        defer { close(file) }
        guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count, fsync(file) == 0 else {
            throw failure("write", path)
        }
    }

    /// The content of a small file with a secret, at most 64 KB.
    ///
    /// - Throws: ``StorageError/denied(_:)`` without permission to read, ``StorageError/noKey(_:)`` if other users have it.
    static func secret(_ path: String) throws(StorageError) -> String {
        let file = NoFollow.openFile(path)
        guard file >= 0 else { throw failure("read", path) }
        defer { close(file) }
        if let problem = PrivateFile.problem(file, at: path) { throw .noKey(problem) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw failure("read", path) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// - Throws: ``StorageError/denied(_:)`` without permission to look.
    static func exists(_ path: String) throws(StorageError) -> Bool {
        if NoFollow.status(path) != nil { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure("access", path) }
        return false
    }

    static func isFolder(_ path: String) -> Bool {
        NoFollow.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    static func move(_ path: String, to target: String) throws(StorageError) {
        let code = NoFollow.at(path) { from, name in
            NoFollow.at(target) { to, newName in renameat(from, name, to, newName) }
        }
        guard code == 0 else { throw failure("rename", path) }
        try synchronizeFolder(above: target)
    }

    /// Waits until the content of a file, or the list of files in a folder, is on the disk. Blocks.
    ///
    /// Must not be called for a database that this process has open: closing any descriptor of a file drops the locks that
    /// SQLite holds on it.
    static func synchronize(_ path: String) throws(StorageError) {
        let file = NoFollow.at(path) { openat($0, $1, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("synchronize", path) }
    }

    static func synchronizeFolder(above path: String) throws(StorageError) {
        try synchronize(folder(above: path) ?? ".")
    }

    /// Names of the files in a folder, in any order.
    static func list(_ path: String) throws(StorageError) -> [String] {
        guard let names = NoFollow.names(path) else { throw failure("list", path) }
        return names
    }

    /// Removes a file, if it exists.
    static func removeFile(_ path: String) throws(StorageError) {
        guard NoFollow.at(path, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT else { throw failure("remove", path) }
    }

    /// Removes a folder and the files in it; of a link, only the link.
    static func removeFolder(_ path: String) throws(StorageError) {
        guard isFolder(path) else { return try removeFile(path) }
        for name in try list(path) { try removeFile("\(path)/\(name)") }
        guard NoFollow.at(path, { unlinkat($0, $1, AT_REMOVEDIR) }) == 0 || errno == ENOENT else {
            throw failure("remove", path)
        }
    }

    /// Acquires a lock that ends with the descriptor; nil if another process holds it.
    static func lock(_ path: String) throws(StorageError) -> Int32? {
        let file = try openLock(path)
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
        let code = errno
        close(file)
        guard code == EWOULDBLOCK else { throw failure("lock", path, code) }
        return nil
    }

    /// Acquires a lock, waiting for its holder. Blocks.
    static func waitForLock(_ path: String) throws(StorageError) -> Int32 {
        let file = try openLock(path)
        while flock(file, LOCK_EX) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(file)
            throw failure("lock", path, code)
        }
        return file
    }

    static func unlock(_ file: Int32) { close(file) }

    private static func openLock(_ path: String) throws(StorageError) -> Int32 {
        while true {
            let file = NoFollow.openFile(path, O_RDWR)
            if file >= 0 { return file }
            guard errno == ENOENT else { throw failure("open", path) }
            do throws(StorageError) { return try newFile(path) } catch {
                // Another process created it meanwhile.
                guard try exists(path) else { throw error }
            }
        }
    }

    private static func folder(above path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(_ action: String, _ path: String, _ code: Int32 = errno) -> StorageError {
        switch code {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        case EACCES, EPERM: .denied("cannot \(action) \(path): \(FolderOwner.explain(path))")
        default:
            .failed("cannot \(action) \(path): \(NoFollow.explain(code) ?? String(cString: strerror(code)))")
        }
    }
}
