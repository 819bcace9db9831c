#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Many connections that one thread watches.
package final class SocketSet {
    package let sockets: [Socket]
    private var watched: [pollfd]

    package init(_ sockets: [Socket]) {
        self.sockets = sockets
        watched = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    /// Waits until something can be received, or for so long.
    ///
    /// - Returns: The places of those that can be received from, or were closed.
    package func ready(within milliseconds: Int32) -> [Int] {
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return [] }
        return watched.indices.filter { watched[$0].revents != 0 }
    }
}
