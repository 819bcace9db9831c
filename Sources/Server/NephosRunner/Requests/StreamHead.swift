/// The head of a streamed response (``Work/stream(_:_:)``), and its heartbeat.
package struct StreamHead: Sendable {
    package var status: Int
    package var contentType: String
    /// Headers of this response only, as ``RawResponse/headers``. The connection adds those that forbid caching, changing or
    /// buffering the stream.
    package var headers: [(name: String, value: String)]
    /// Written whenever nothing else was written for ``HTTPLimits/heartbeatMilliseconds``, so that proxies keep the connection
    /// and clients know that it is alive. If empty, nothing is written.
    package var heartbeat: [UInt8]
    /// ``RawResponse/endpoint``.
    package var endpoint: String

    package init(
        status: Int = 200, contentType: String = StreamHead.events, headers: [(name: String, value: String)] = [],
        heartbeat: [UInt8] = StreamHead.comment, endpoint: String = "other"
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.heartbeat = heartbeat
        self.endpoint = endpoint
    }

    /// Content type of server-sent events.
    package static let events = "text/event-stream; charset=utf-8"
    /// A line that readers of server-sent events ignore.
    package static let comment = Array(": \n\n".utf8)
}
