import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A blocking TCP connection to this machine's loopback address, with a timeout in seconds.
package final class Socket {
    let descriptor: Int32

    /// - Throws: ``SystemError``, for example if nothing listens on the port.
    package init(port: Int, timeout seconds: Int = Patience.seconds) throws {
        descriptor = streamSocket()
        guard descriptor >= 0 else { throw SystemError("socket") }
        set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: seconds, tv_usec: 0))
        set(SOL_SOCKET, SO_SNDTIMEO, timeval(tv_sec: seconds, tv_usec: 0))
        set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        guard Socket.withLoopback(port: port, { connect(descriptor, $0, $1) }) == 0 else {
            throw SystemError("connect to port \(port)")
        }
    }

    deinit { close(descriptor) }

    /// Sends all bytes. - Throws: ``SystemError`` if the other side is gone or does not read in time.
    package func send(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformSend(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// The next available bytes, at most `count`; empty if the other side has closed.
    ///
    /// - Throws: ``SystemError``; EAGAIN if nothing arrived in time.
    package func receive(atMost count: Int = 1 << 16) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let received = recv(descriptor, &buffer, count, 0)
            if received < 0 && errno == EINTR { continue }
            guard received >= 0 else { throw SystemError("receive") }
            return Array(buffer[..<received])
        }
    }

    /// Whether the other side has closed, as far as known.
    package var isClosedByPeer: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
    }

    /// Shuts down sending; responses can still be received.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// A port of the loopback address on which nothing listens now, and which no other caller in this process gets, so that a
    /// server can restart on its port. Another process could take it a moment later, but that is unlikely: it is chosen at random
    /// from those that systems do not assign to outgoing connections.
    package static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 10_000...32_000)
            if try isFree(port), givenPorts.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw SystemError("find a free port", code: EADDRINUSE)
    }

    private static let givenPorts = Mutex<Set<Int>>([])

    private static func isFree(_ port: Int) throws -> Bool {
        let probe = streamSocket()
        guard probe >= 0 else { throw SystemError("socket") }
        defer { close(probe) }
        return withLoopback(port: port) { bind(probe, $0, $1) } == 0
    }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    fileprivate static func withLoopback(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// Runs `body` with a port of the loopback address that refuses connections: nothing listens on it, and nothing can until `body` ends.
/// The port of a server that has stopped is no substitute, because the system may give it to the next server.
package func withClosedPort(_ body: (Int) async throws -> Void) async throws {
    let reserved = streamSocket()
    guard reserved >= 0 else { throw SystemError("socket") }
    defer { close(reserved) }
    guard Socket.withLoopback(port: 0, { bind(reserved, $0, $1) }) == 0 else { throw SystemError("bind") }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(reserved, $0, &length) }
    }
    guard result == 0 else { throw SystemError("getsockname") }
    try await body(Int(in_port_t(bigEndian: address.sin_port)))
}

/// A socket that no process inherits. If the system supports it, it is created in one step: a server that another thread starts in
/// between would otherwise inherit it, and keep a port that was only probed in use.
private func streamSocket() -> Int32 {
    #if canImport(Glibc)
        return socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    #endif
}

/// Sends without the signal that would terminate this process if the other side is gone.
private func platformSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes, count, 0)
    #else
        send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
