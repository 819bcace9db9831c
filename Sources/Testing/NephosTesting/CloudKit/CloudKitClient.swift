/// Which of a container's databases a request names.
package enum Database: String, Sendable, CaseIterable {
    case `public`, `private`, shared
}

/// Speaks CloudKit Web Services to one container over one connection, for one thread at a time.
///
/// It connects when first needed, and again if the server closed the connection between two requests. A request that fails in
/// transit is never sent again: crash tests must know what was acknowledged.
package final class CloudKitClient {
    package let port: Int
    package var container: String
    package var environment = "development"
    package var credentials: Credentials
    /// Sent with every request.
    package var headers: [HTTPHeader] = [HTTPHeader("Content-Type", "text/plain")]
    /// Added to the query of every request, unchanged.
    package var query: [String] = []
    private let timeout: Int
    private var connection: HTTPConnection?

    /// - Parameter timeout: Maximum duration of any single send or receive, in seconds.
    package init(port: Int, container: String, credentials: Credentials, timeout seconds: Int = Patience.seconds) {
        self.port = port
        self.container = container
        self.credentials = credentials
        timeout = seconds
    }

    /// `/database/1/…` without a query.
    ///
    /// - Parameters:
    ///   - path: Entity and action: `records/modify`.
    ///   - database: Nil omits the database.
    package func path(_ path: String, _ database: Database?) -> String {
        (["", "database", "1", container, environment] + [database?.rawValue, path].compactMap { $0 })
            .joined(separator: "/")
    }

    /// Sends a POST with a JSON body. - Throws: ``SystemError``, ``HTTPError`` if there is no response.
    package func post(_ path: String, _ database: Database? = .private, _ body: JSON = [:]) throws -> HTTPResponse {
        try send("POST", self.path(path, database), body: body.bytes)
    }

    /// Sends a GET without a body.
    package func get(_ path: String, _ database: Database? = .private) throws -> HTTPResponse {
        try send("GET", self.path(path, database), body: nil)
    }

    /// Sends a request with these credentials to any path of the server.
    ///
    /// - Parameter path: Absolute; it may have a query already.
    package func send(_ method: String, _ path: String, body: [UInt8]?) throws -> HTTPResponse {
        let items = credentials.query + query
        let target = path + (items.isEmpty ? "" : (path.contains("?") ? "&" : "?") + items.joined(separator: "&"))
        var request = HTTPRequest(method, target, headers: headers, body: body)
        if case .key(let signer) = credentials {
            request.headers += try signer.headers(target: target, body: body ?? [])
        }
        return try open().exchange(request)
    }

    /// The connection for the next request.
    package func open() throws -> HTTPConnection {
        if let connection, connection.isReusable, !connection.isClosedByPeer { return connection }
        let fresh = try HTTPConnection(port: port, timeout: timeout)
        connection = fresh
        return fresh
    }

    /// Closes the connection, if one is open.
    package func close() { connection = nil }
}
