import Synchronization

/// A server in this process, to which ``HTTPConnection`` passes requests as to one behind a port, but without a socket.
package protocol LocalServer: AnyObject, Sendable {
    /// Begins to answer a request, on its own threads.
    func begin(_ request: HTTPRequest) -> any LocalAnswer
}

/// A response in progress.
package protocol LocalAnswer: AnyObject, Sendable {
    /// Waits for status and headers, with the body if it is not chunked.
    ///
    /// - Throws: ``SystemError`` if nothing arrives within this many seconds.
    func head(within seconds: Int) throws -> HTTPResponse

    /// Waits for the next piece of a chunked body. - Returns: nil at its end. - Throws: As ``head(within:)``.
    func piece(within seconds: Int) throws -> [UInt8]?

    /// The client is gone.
    func leave()
}

extension LocalAnswer {
    package func head() throws -> HTTPResponse { try head(within: Patience.seconds) }

    package func piece() throws -> [UInt8]? { try piece(within: Patience.seconds) }
}

/// The servers in this process, with numbers beyond those of ports.
package enum LocalServers {
    private struct Entry { weak var server: (any LocalServer)? }

    private static let entries = Mutex<[Int: Entry]>([:])
    private static let numbers = Atomic(100_000)

    /// An unused number.
    package static func freePort() -> Int { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    package static func add(_ server: any LocalServer, port: Int) {
        entries.withLock { $0[port] = Entry(server: server) }
    }

    package static func remove(port: Int) { entries.withLock { $0[port] = nil } }

    static func server(port: Int) -> (any LocalServer)? { entries.withLock { $0[port]?.server } }

    /// Whether this is the number of a server in a process.
    static func areAt(port: Int) -> Bool { port > UInt16.max }
}
