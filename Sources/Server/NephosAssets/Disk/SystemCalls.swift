import CFiles
package import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The calls of this system. None follows a symbolic link below the store's folder.
package struct SystemCalls: FileCalls {
    private let folder: OpenFolder?

    /// - Parameter folder: The one that all paths are below; nil for any paths that lead through no links.
    package init(below folder: OpenFolder? = nil) { self.folder = folder }

    @discardableResult
    private func at<Answer: SignedInteger>(
        _ path: String, _ body: (Int32, UnsafePointer<CChar>) -> Answer
    ) throws(FileFault) -> Answer {
        try call { NoFollow.at(path, below: folder, body) }
    }

    package func createFile(_ path: String) throws(FileFault) -> Int32 {
        let file = try at(path) { openat($0, $1, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        let code = FolderOwner.takes(file, at: path)
        guard code == 0 else {
            close(file)
            throw FileFault(code: code)
        }
        return file
    }

    package func openFile(_ path: String) throws(FileFault) -> Int32 {
        // O_NONBLOCK has no effect on a file. Without it, a pipe at this path would block the caller forever.
        try at(path) { openat($0, $1, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    }

    package func openFolder(_ path: String) throws(FileFault) -> Int32 {
        try at(path) { openat($0, $1, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW) }
    }

    // Errors that `close` could report were already reported by `synchronize`, and the descriptor is released either way.
    package func closeFile(_ file: Int32) { _ = close(file) }

    package func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(FileFault) -> Int {
        try call { write(file, bytes.baseAddress, min(bytes.count, pieceBytesMax)) }
    }

    package func beginWriteback(_ file: Int32, at offset: Int64, count: Int64) {
        #if os(Linux)
            _ = sync_file_range(file, offset, count, sync_file_range_write)
        #endif
    }

    package func readBytes(
        _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileFault) -> Int {
        try call {
            pread(file, buffer.baseAddress, min(buffer.count, pieceBytesMax), off_t(offset))
        }
    }

    package func synchronize(_ file: Int32) throws(FileFault) {
        #if canImport(Darwin)
            // fsync leaves the data in the drive's own memory on this system.
            try call { fcntl(file, F_FULLFSYNC) }
        #else
            try call { fsync(file) }
        #endif
    }

    package func touch(_ file: Int32) throws(FileFault) {
        try call { futimens(file, nil) }
    }

    package func status(of file: Int32) throws(FileFault) -> FileStatus {
        var status = stat()
        try call { fstat(file, &status) }
        return FileStatus(status)
    }

    package func status(at path: String) throws(FileFault) -> FileStatus {
        var status = stat()
        try at(path) { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    package func linkFile(_ path: String, to name: String) throws(FileFault) {
        try at(path) { from, old in NoFollow.at(name, below: folder) { to, new in linkat(from, old, to, new, 0) } }
    }

    package func move(_ path: String, to name: String) throws(FileFault) {
        try at(path) { from, old in NoFollow.at(name, below: folder) { to, new in renameat(from, old, to, new) } }
    }

    package func removeFile(_ path: String) throws(FileFault) {
        try at(path) { unlinkat($0, $1, 0) }
    }

    package func createFolder(_ path: String) throws(FileFault) {
        try at(path) { mkdirat($0, $1, 0o700) }
        let code = FolderOwner.takesFolder(at: path)
        guard code == 0 else { throw FileFault(code: code) }
    }

    package func removeFolder(_ path: String) throws(FileFault) {
        try at(path) { unlinkat($0, $1, AT_REMOVEDIR) }
    }

    package func names(in folder: String) throws(FileFault) -> [String] {
        guard let names = NoFollow.names(folder, below: self.folder) else { throw FileFault(code: errno) }
        return names
    }
}

/// No system accepts more than 2 GiB at a time, and some refuse to accept a part of it.
private let pieceBytesMax = 1 << 30

/// Makes a call, and repeats it if a signal interrupted it.
@discardableResult
private func call<Answer: SignedInteger>(_ body: () -> Answer) throws(FileFault) -> Answer {
    while true {
        let answer = body()
        if answer >= 0 { return answer }
        let code = errno
        guard code == EINTR else { throw FileFault(code: code) }
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(
            kind: kind, size: Int64(status.st_size),
            modifiedAt: Milliseconds(time.tv_sec) * 1_000 + Milliseconds(time.tv_nsec) / 1_000_000,
            identity: [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)])
    }
}
