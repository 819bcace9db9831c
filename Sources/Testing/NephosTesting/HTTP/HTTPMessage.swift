/// A header line. Names are compared without regard to case.
public struct HTTPHeader: Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request, down to its bytes.
public struct HTTPRequest: Sendable {
    public var method: String
    /// Sent as it stands: path and query.
    public var target: String
    /// Sent as they stand, after Host.
    public var headers: [HTTPHeader]
    /// Nil sends neither a body nor Content-Length.
    public var body: [UInt8]?

    public init(_ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// What goes over the wire. - Parameter host: The value of Host.
    public func bytes(host: String) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

/// An answer, its transfer coding undone, its content coding not.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var headers: [HTTPHeader]
    public var body: [UInt8]

    public init(status: Int, headers: [HTTPHeader], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header; nil without it.
    public subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// The body as JSON. - Throws: ``JSONError``.
    public var json: JSON { get throws { try JSON(reading: body) } }
}
