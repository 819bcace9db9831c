import CloudKitWire
package import NephosNetwork
package import NephosStorage

/// One HTTP request, whole, as it came off the socket: nothing in it is decoded, joined or made lower-case.
package struct RawRequest: Sendable {
    package var method: RequestMethod
    /// Path and query exactly as received; signatures are made over these bytes.
    package var target: String
    package var headers: RequestHeaders
    /// At most ``HTTPLimits/bodyBytesMax``; a chunked body is put together.
    package var body: [UInt8]
    package var id: RequestID
    /// The wall clock when the head of the request had arrived. It is the `now` of everything the request does.
    package var arrivedAt: Milliseconds
    package var peer: Peer
    /// Where the client is, as limits for one client count it: its address, or of IPv6 the first 64 bits. nil where it has no limits of its
    /// own: this machine, or a trusted proxy that does not say whom it speaks for.
    package var network: NetworkAddress?
    /// Where the connection says that the request was given up: nobody gets an answer any more.
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

    /// Scheme and authority by which the client reached this server, as far as that can be believed: what a trusted proxy says,
    /// else the address of the connection. Never what a client says by itself.
    package var origin: String { (peer.isProxy ? headers.forwardedOrigin : nil) ?? peer.origin }

    /// ``target`` up to the question mark: the only part of it that may be logged, since queries carry tokens.
    package var path: Substring { RawRequest.path(of: target) }

    package static func path(of target: String) -> Substring {
        target.utf8.place(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
    }
}
