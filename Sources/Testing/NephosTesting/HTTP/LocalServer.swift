import Synchronization

/// A server inside this process, which ``HTTPConnection`` asks as it asks one behind a port: a request in, an answer out, and
/// no socket between.
package protocol LocalServer: AnyObject, Sendable {
    /// Begins to answer a request, on threads of its own.
    func begin(_ request: HTTPRequest) -> any LocalAnswer
}

/// An answer that is on its way.
package protocol LocalAnswer: AnyObject, Sendable {
    /// Waits for status and headers, with the body where that is whole.
    ///
    /// - Throws: ``SystemError`` when nothing came for so many seconds.
    func head(within seconds: Int) throws -> HTTPResponse

    /// Waits for the next piece of a body that comes in pieces. - Returns: nil at its end. - Throws: As ``head(within:)``.
    func piece(within seconds: Int) throws -> [UInt8]?

    /// Whoever asked is gone.
    func leave()
}

/// The servers inside this process, under numbers that no port has.
package enum LocalServers {
    private struct Entry { weak var server: (any LocalServer)? }

    private static let entries = Mutex<[Int: Entry]>([:])
    private static let numbers = Atomic(100_000)

    /// A number that no server has.
    package static func freePort() -> Int { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    package static func add(_ server: any LocalServer, port: Int) {
        entries.withLock { $0[port] = Entry(server: server) }
    }

    package static func remove(port: Int) { entries.withLock { $0[port] = nil } }

    static func server(port: Int) -> (any LocalServer)? { entries.withLock { $0[port]?.server } }

    /// Whether this is the number of a server inside a process.
    static func areAt(port: Int) -> Bool { port > UInt16.max }
}
