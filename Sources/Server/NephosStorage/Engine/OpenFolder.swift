#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that stays open, so that calls for what is below it need not begin at the root (``NoFollow``).
package final class OpenFolder: Sendable {
    /// Absolute, without links.
    package let path: String
    package let descriptor: Int32

    private static let flags: Int32 = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Opens a folder; links to it are followed, since operators use them to move it to another disk. nil, with `errno`, on failure.
    package init?(_ path: String) {
        let resolved = NoFollow.resolved(path)
        let opened = NoFollow.at(resolved) { openat($0, $1, OpenFolder.flags) }
        guard opened >= 0 else { return nil }
        self.path = resolved
        descriptor = opened
    }

    /// Creates a folder that only its owner can see into, and opens it. Whoever may write to the folder above can put another one in
    /// its place in between, so the caller has to check what was opened. nil, with `errno`, on failure.
    ///
    /// - Parameter path: Without links (``NoFollow/resolved(_:)``).
    package init?(creating path: String) {
        let opened = NoFollow.at(path) { (above: Int32, name: UnsafePointer<CChar>) -> Int32 in
            guard mkdirat(above, name, 0o700) == 0 else { return -1 }
            let new = openat(above, name, OpenFolder.flags)
            guard new >= 0 else { return -1 }
            // Then it is there after a loss of power, too, if this process may open the folder above.
            let folder = openat(above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if folder >= 0 {
                fsync(folder)
                close(folder)
            }
            return new
        }
        guard opened >= 0 else { return nil }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }
}
