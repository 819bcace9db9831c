/// A header line. Names are case-insensitive.
package struct HTTPHeader: Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request that is serialized to its exact bytes.
package struct HTTPRequest: Sendable {
    package var method: String
    /// Path and query, sent unchanged.
    package var target: String
    /// Sent unchanged, after Host.
    package var headers: [HTTPHeader]
    /// Nil sends neither a body nor Content-Length.
    package var body: [UInt8]?

    package init(_ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The bytes to send. - Parameter host: The value of Host.
    package func bytes(host: String) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

/// A response, with its transfer coding decoded and its content coding not.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    package init(status: Int, headers: [HTTPHeader], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header; nil if there is none.
    package subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// The body as JSON. - Throws: ``JSONError``.
    package var json: JSON { get throws { try JSON(reading: body) } }
}
