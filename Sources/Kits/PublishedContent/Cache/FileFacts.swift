import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Size and time of a file.
struct FileFacts {
    let bytes: Int64
    /// In a cache, the time of last use.
    let changed: Date

    init(bytes: Int64, changed: Date) { (self.bytes, self.changed) = (bytes, changed) }

    /// - Returns: nil if there is no file.
    init?(_ path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR else { return nil }
        #if canImport(Darwin)
            let time = facts.st_mtimespec
        #else
            let time = facts.st_mtim
        #endif
        bytes = Int64(facts.st_size)
        changed = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}
