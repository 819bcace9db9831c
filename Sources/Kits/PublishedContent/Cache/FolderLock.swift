import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps processes from changing a folder at once. It is held for moments only: a system that puts a program to sleep while it holds one in a
/// shared folder ends it.
enum FolderLock {
    static let name = ".lock"

    /// Makes the folder where it is not there. Waits as long as another holds the lock.
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
        // Closing the file lets it go.
        return try body()
    }

    /// What is here comes again from the server: no backup need have it.
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
