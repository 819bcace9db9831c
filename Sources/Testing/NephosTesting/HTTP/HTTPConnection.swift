#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The received bytes are not a valid HTTP/1.1 response, or the connection ended before the response did.
package struct HTTPError: Error, CustomStringConvertible {
    package var description: String
}

/// One HTTP/1.1 connection, kept alive, for one thread at a time. It does exactly what the caller requests: no redirects, no
/// retries, no headers of its own except Host and Content-Length.
///
/// If the port is that of a ``LocalServer``, requests are passed to it without a connection.
package final class HTTPConnection {
    package let port: Int
    private let wire: Socket?
    private let local: (any LocalServer)?
    private let timeout: Int
    /// Requests to a local server that are not answered yet, in order; the first one may be partly read.
    private var asked: [any LocalAnswer] = []
    private var received: [UInt8] = []
    private var position = 0
    /// Whether another request may follow on this connection.
    package private(set) var isReusable = true

    /// - Parameter timeout: Maximum duration of any single send or receive, in seconds.
    /// - Throws: ``SystemError``.
    package init(port: Int, timeout seconds: Int = Patience.seconds) throws {
        self.port = port
        timeout = seconds
        local = LocalServers.server(port: port)
        if LocalServers.areAt(port: port), local == nil { throw SystemError("connect", code: ECONNREFUSED) }
        wire = local == nil ? try Socket(port: port, timeout: seconds) : nil
    }

    deinit { for answer in asked { answer.leave() } }

    /// For sending raw bytes. - Throws: ``SystemError`` if the server is in this process.
    package var socket: Socket {
        get throws {
            guard let wire else { throw SystemError("use a socket of a server without any", code: ENOTSOCK) }
            return wire
        }
    }

    /// Whether the server has closed the connection.
    package var isClosedByPeer: Bool { wire?.isClosedByPeer ?? (LocalServers.server(port: port) == nil) }

    /// Sends a request and reads its response.
    ///
    /// - Throws: ``SystemError``, ``HTTPError``. The connection is unusable afterwards.
    package func exchange(_ request: HTTPRequest) throws -> HTTPResponse {
        do {
            try send(request)
            return try response(toHEAD: request.method == "HEAD")
        } catch {
            isReusable = false
            throw error
        }
    }

    /// Sends a request only; read its response with ``response(toHEAD:)``. For pipelining and for aborted requests.
    package func send(_ request: HTTPRequest) throws {
        if let local { return asked.append(local.begin(request)) }
        try socket.send(request.bytes(host: "127.0.0.1:\(port)"))
    }

    /// Reads the next response; informational ones are skipped.
    package func response(toHEAD: Bool = false) throws -> HTTPResponse {
        var response = try head()
        if local != nil {
            while let piece = try chunk() { response.body += piece }
        } else {
            try readBody(of: &response, toHEAD: toHEAD)
        }
        if response.status >= 400 {
            IssuedSecrets.check(response.body, port, nil, "a response with status \(response.status)")
        }
        IssuedSecrets.note(response, port: port)
        return response
    }

    private func readBody(of response: inout HTTPResponse, toHEAD: Bool) throws {
        let close = response["Connection"]?.lowercased() == "close"
        if toHEAD || response.status == 204 || response.status == 304 {
            response.body = []
        } else if response["Transfer-Encoding"]?.lowercased() == "chunked" {
            while let chunk = try chunk() { response.body += chunk }
        } else if let length = response["Content-Length"] {
            guard let count = Int(length), count >= 0 else { throw HTTPError(description: "Content-Length: \(length)") }
            response.body = try take(count)
        } else {
            while try receive() {}
            response.body = try take(received.count - position)
            isReusable = false
        }
        if close { isReusable = false }
        received.removeFirst(position)
        position = 0
    }

    /// Reads the head of the next response; informational ones are skipped. Read the body with ``chunk()``.
    package func head() throws -> HTTPResponse {
        if let answer = asked.first { return try answer.head(within: timeout) }
        var head: HTTPResponse
        repeat { head = try wireHead() } while (100..<200).contains(head.status)
        return head
    }

    /// The next piece of a chunked body, such as that of a stream; nil at its end.
    package func chunk() throws -> [UInt8]? {
        if let answer = asked.first {
            if let piece = try answer.piece(within: timeout) { return piece }
            asked.removeFirst()
            return nil
        }
        let text = try line()
        guard let count = Int(text.prefix { $0 != ";" }, radix: 16) else {
            throw HTTPError(description: "chunk size: \(text)")
        }
        if count == 0 {
            while try !line().isEmpty {}
            return nil
        }
        let chunk = try take(count)
        guard try line().isEmpty else { throw HTTPError(description: "a chunk without its end") }
        return chunk
    }

    private func wireHead() throws -> HTTPResponse {
        let status = try line()
        let parts = status.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let code = Int(parts[1]) else {
            throw HTTPError(description: "status line: \(status)")
        }
        var headers: [HTTPHeader] = []
        while case let text = try line(), !text.isEmpty {
            guard let colon = text.firstIndex(of: ":") else { throw HTTPError(description: "header line: \(text)") }
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(HTTPHeader(String(text[..<colon]), String(value)))
        }
        return HTTPResponse(status: code, headers: headers, body: [])
    }

    /// The next line without its CR LF.
    private func line() throws -> String {
        var searched = position
        while true {
            if let end = received[searched...].firstIndex(of: 0x0A) {
                let text = received[position..<end]
                position = end + 1
                return String(decoding: text.last == 0x0D ? text.dropLast() : text, as: UTF8.self)
            }
            searched = received.count
            guard try receive() else {
                throw HTTPError(description: "the connection ended within the headers of a response")
            }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count - position < count {
            guard try receive() else {
                throw HTTPError(description: "the connection ended within the body of a response")
            }
        }
        defer { position += count }
        return Array(received[position..<position + count])
    }

    /// Whether more bytes were received; false at the end of the connection.
    private func receive() throws -> Bool {
        let bytes = try socket.receive()
        received += bytes
        if bytes.isEmpty { isReusable = false }
        return !bytes.isEmpty
    }
}
