import CloudKitWire
package import NephosNetwork
package import NephosStorage

/// One complete HTTP request as received: nothing in it is decoded, joined or lowercased.
package struct RawRequest: Sendable {
    package var method: RequestMethod
    /// Path and query as received, but for the path of the public URL (``PublicURL/ownTarget(of:)``); signatures cover these bytes.
    package var target: String
    package var headers: RequestHeaders
    /// At most ``HTTPLimits/bodyBytesMax``; a chunked body is assembled.
    package var body: [UInt8]
    package var id: RequestID
    /// The wall clock when the head of the request arrived. It is the `now` of everything that the request does.
    package var arrivedAt: Milliseconds
    package var peer: Peer
    /// What limits count the client by; nil if none apply, because only this machine reaches the server.
    package var network: ClientNetwork?
    /// The connection's signal that the request was given up, so that nobody receives an answer any more.
    package var abandonment: Abandonment? { peer.abandonment }

    package init(
        method: RequestMethod, target: String, headers: RequestHeaders = RequestHeaders(), body: [UInt8] = [],
        id: RequestID = .next(), arrivedAt: Milliseconds, peer: Peer = .none
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.id = id
        self.arrivedAt = arrivedAt
        self.peer = peer
    }

    /// Scheme and authority with which the client reached this server: from a trusted proxy's headers, otherwise the address of
    /// the connection. Never from the client's own headers.
    package var origin: String { (peer.isProxy ? headers.forwardedOrigin : nil) ?? peer.origin }

    /// The host that the client used, with the port unless a proxy leaves it out; nil if no header says it.
    package var host: String? { peer.isProxy ? headers.forwardedHost : headers.first(.host).map { String($0) } }

    /// Whether it comes from a browser that shows the response to a person: it accepts HTML. A client that accepts JSON, or has no
    /// preference, is a program.
    package var isFromPerson: Bool {
        let types = headers.list(.accept).map { $0.prefix { $0 != ";" }.trimmed.lowercased() }
        return types.contains("text/html") && !types.contains("application/json")
    }

    /// ``target`` up to the question mark: the only part that may be logged, because queries contain tokens.
    package var path: Substring { RawRequest.path(of: target) }

    package static func path(of target: String) -> Substring {
        target.utf8.place(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
    }
}
