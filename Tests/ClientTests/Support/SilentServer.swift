import Foundation
import NephosTesting

/// Accepts connections on the loopback address and never responds.
final class SilentServer: @unchecked Sendable {
    let port: Int
    private let descriptor: Int32
    private let lock = NSLock()
    private var connections: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, isOpen else { throw SystemError("listen") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a connection and the first bytes sent on it.
    func accept() throws {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { throw SystemError("accept") }
        lock.withLock { connections.append(connection) }
        var byte: UInt8 = 0
        _ = recv(connection, &byte, 1, 0)
    }

    deinit {
        for connection in connections { close(connection) }
        close(descriptor)
    }
}
