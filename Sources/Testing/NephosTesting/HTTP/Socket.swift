import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A TCP connection to this machine's loopback address that blocks its caller, for at most `timeout` seconds.
package final class Socket {
    let descriptor: Int32

    /// - Throws: ``SystemError``, for example when nobody listens.
    package init(port: Int, timeout seconds: Int = 30) throws {
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

    /// Sends all bytes. - Throws: ``SystemError`` when the other side is gone or does not read in time.
    package func send(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformSend(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes, as many as have come, at most `count`; none when the other side has closed.
    ///
    /// - Throws: ``SystemError``; EAGAIN when nothing came in time.
    package func receive(atMost count: Int = 1 << 16) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let received = recv(descriptor, &buffer, count, 0)
            if received < 0 && errno == EINTR { continue }
            guard received >= 0 else { throw SystemError("receive") }
            return Array(buffer[..<received])
        }
    }

    /// Whether the other side has closed, as far as this side has heard.
    package var isClosedByPeer: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
    }

    /// Says that nothing more will be sent; answers can still be received.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// A port of the loopback address that nobody listens on now, and that no other caller in this process gets: what
    /// restarts on its port finds it free. Another process may take it a moment later, though hardly: it is drawn at random
    /// from those that systems do not give to connections that go out.
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

    private static func withLoopback(
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

/// A socket that no process inherits. Where the system can it is made so in one step: a server that another thread starts in
/// between would hold it, and so the port that was only looked at, for as long as it runs.
private func streamSocket() -> Int32 {
    #if canImport(Glibc)
        return socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    #endif
}

/// Sends without the signal that would end this process when the other side is gone.
private func platformSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes, count, 0)
    #else
        send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
