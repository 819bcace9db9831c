#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// Calls of the system for a path that may lead through no symbolic link (docs/decisions/0055). The folders above the last name
/// are opened one below the other, and `body` gets the last of them, so that nobody can put a link in their place meanwhile.
///
/// The path must be without links to begin with (``resolved(_:)``). A link that it meets nevertheless is `ENOTDIR`, or `ELOOP`
/// where `body` opens the last name with `O_NOFOLLOW`.
package enum NoFollow {
    /// - Parameters:
    ///   - base: Where to begin, for a path below it; nil for the root of the file system.
    ///   - body: Gets a folder and a name in it, for calls such as `openat`. Returns -1 and sets `errno` for a failure.
    /// - Returns: What `body` returns; -1, with `errno`, if a folder on the path cannot be opened.
    package static func at<Result: SignedInteger>(
        _ path: String, below base: OpenFolder? = nil, _ body: (Int32, UnsafePointer<CChar>) -> Result
    ) -> Result {
        var text = Array(path.utf8CString)
        return text.withUnsafeMutableBufferPointer { text in
            guard let start = text.baseAddress else { return -1 }
            var name = start
            var folder = base?.descriptor ?? AT_FDCWD
            if let base {
                let end = name + base.path.utf8.count
                guard path.utf8.starts(with: base.path.utf8), end.pointee == 0 || end.pointee == slash else {
                    return refused(EINVAL)
                }
                name = end
            }
            // The folder that the walk begins in stays open.
            var opened: Int32?
            defer { if let opened { closeKeepingError(opened) } }
            if base == nil, name.pointee == slash {
                folder = open("/", folderFlags)
                guard folder >= 0 else { return -1 }
                opened = folder
            }
            while true {
                while name.pointee == slash { name += 1 }
                var end = name
                while end.pointee != 0, end.pointee != slash { end += 1 }
                if end.pointee == 0 { return name == end ? body(folder, ".") : body(folder, name) }
                end.pointee = 0
                let next = openat(folder, name, folderFlags)
                guard next >= 0 else { return -1 }
                if let opened { close(opened) }
                (folder, opened, name) = (next, next, end + 1)
            }
        }
    }

    /// The absolute path of a file or folder without any links; of what is there, if it is not there yet.
    package static func resolved(_ path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        return path.isEmpty || path == "." || path == "/" ? path : resolved(above: path)
    }

    /// The same, without following the last name of a path.
    package static func resolved(above path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "\(resolved("."))/\(path)" }
        let above = slash == path.startIndex ? "" : resolved(String(path[..<slash]))
        return above + path[slash...]
    }

    /// Opens a file that is to be read, never through a link. A pipe or a device is refused (`EINVAL`), which could keep the
    /// caller waiting forever.
    package static func openFile(_ path: String, _ flags: Int32 = O_RDONLY) -> Int32 {
        let file = at(path) { openat($0, $1, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard file >= 0 else { return -1 }
        var status = stat()
        if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return file }
        close(file)
        return refused(EINVAL)
    }

    /// The properties of a file, or of a link itself.
    package static func status(_ path: String, below base: OpenFolder? = nil) -> stat? {
        var status = stat()
        return at(path, below: base) { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) } == 0 ? status : nil
    }

    /// Names in a folder, in any order; nil with `errno` on failure.
    package static func names(_ path: String, below base: OpenFolder? = nil) -> [String]? {
        let folder = at(path, below: base) { openat($0, $1, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard folder >= 0 else { return nil }
        guard let stream = fdopendir(folder) else {
            closeKeepingError(folder)
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // Only errno distinguishes the end of a folder from an error.
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 ? names : nil }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// What to add to the message of a failed call; nil if it was not about a link.
    package static func explain(_ code: Int32) -> String? {
        guard [ELOOP, ENOTDIR, EINVAL].contains(code) else { return nil }
        return
            "it is a symbolic link, is behind one, or is no file or folder. Nephos follows no links inside its folders"
    }

    private static let slash = CChar(bitPattern: UInt8(ascii: "/"))

    #if os(Linux)
        /// Folders are only passed through, for which no permission to list them is needed: `O_PATH`, which the system's header
        /// declares only for C programs that request all of its extensions.
        private static let folderFlags: Int32 = 0o10_000_000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    #else
        private static let folderFlags: Int32 = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    #endif

    private static func refused<Result: SignedInteger>(_ code: Int32) -> Result {
        errno = code
        return -1
    }

    private static func closeKeepingError(_ file: Int32) {
        let code = errno
        close(file)
        errno = code
    }
}
