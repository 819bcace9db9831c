#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Many connections watched by one thread.
package final class SocketSet {
    package let sockets: [Socket]
    private var watched: [pollfd]

    package init(_ sockets: [Socket]) {
        self.sockets = sockets
        watched = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    /// Waits until data can be received, or for this long.
    ///
    /// - Returns: The indices of those that have data or were closed.
    package func ready(within milliseconds: Int32) -> [Int] {
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return [] }
        return watched.indices.filter { watched[$0].revents != 0 }
    }
}
