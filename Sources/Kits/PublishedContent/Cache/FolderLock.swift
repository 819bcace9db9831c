import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps processes from changing a folder concurrently. Hold it only briefly: the system terminates a program that is suspended
/// while it holds a lock in a shared folder.
enum FolderLock {
    static let name = ".lock"

    /// Creates the folder if needed. Blocks while another process holds the lock.
    static func locked<Value>(_ folder: URL, _ body: () throws -> Value) throws -> Value {
        let path = folder.appending(path: name).path
        var file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if file < 0, errno == ENOENT {
            try make(folder)
            file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw CocoaError(.fileLocking) }
        }
        // Closing the file releases the lock.
        return try body()
    }

    /// The content can be fetched again from the server: exclude it from backups.
    private static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #if canImport(Darwin)
            var folder = folder
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
        #endif
    }
}
