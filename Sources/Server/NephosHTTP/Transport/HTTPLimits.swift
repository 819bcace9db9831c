/// What one client, and all of them together, may use of the server. The defaults are those of docs/protocol.md.
///
/// Times are checked by a sweep over a loop's connections every ``sweepMilliseconds``, so each may be exceeded by that much.
package struct HTTPLimits: Sendable, Equatable {
    /// The maximum body of one request. A larger one is answered with 413.
    package var bodyBytesMax = 16 << 20
    /// The maximum size of a request's header names and values together. More is answered with 431.
    package var headerBytesMax = 16 << 10
    /// The maximum number of headers of a request. More is answered with 431.
    package var headerCountMax = 100
    /// The maximum size of path and query. More is answered with 414.
    package var targetBytesMax = 8 << 10
    /// Request bodies, and responses not yet accepted by their sockets, of all connections together. More is answered with 503.
    package var bufferedBytesMax = 256 << 20
    /// Responses up to this size are sent even then: an error would hardly be smaller, and health and metrics are most needed
    /// when there is no room.
    package var smallAnswerBytesMax = 16 << 10
    /// The maximum unread data of a stream. More ends the stream.
    package var streamUnsentBytesMax = 256 << 10
    /// The maximum number of open connections. One more is answered with 503 and closed.
    package var connectionsMax = 20_000
    /// The part of these that one client may have: connections, and requests that a trusted proxy has forwarded for it. More are
    /// answered with 503.
    package var clientConnectionsMax = 512
    /// The part of ``bufferedBytesMax`` that one client may hold. More is answered with 503.
    package var clientBufferedBytesMax = 64 << 20
    /// A body with an announced length up to this one is accepted before its sender is known: a head may be as long.
    package var unrecognizedBodyBytesMax = 16 << 10

    /// From a request's first byte to the end of its headers; also from opening a connection to its first byte.
    package var headersMilliseconds: Int64 = 10_000
    /// From the end of the headers to the end of the body, if it is buffered whole.
    package var bodyMilliseconds: Int64 = 30_000
    /// The minimum speed at which a body must arrive and a response must be read.
    package var bytesPerSecondMin = 1_024
    /// How long a body may take before its speed is checked.
    package var speedGraceMilliseconds: Int64 = 5_000
    /// How long the socket may accept nothing, or less than ``bytesPerSecondMin``, of a response; of a stream, nothing.
    package var stalledWriteMilliseconds: Int64 = 30_000
    /// How long a client may send nothing, or less than ``bytesPerSecondMin``, of a body that is received piece by piece
    /// (``BodyReader``). Only time in which the owner waits for it counts.
    package var stalledReadMilliseconds: Int64 = 30_000
    /// From a request's first byte until the socket has accepted the last byte of its response. Exempt are requests that are
    /// parked or streamed (``Parking``, ``StreamWriter``), and files while the client reads them (``FileAnswer``). For a body
    /// that is received piece by piece, this applies to each step of its owner (``BodyReader``).
    package var requestMilliseconds: Int64 = 30_000
    /// How long a connection may be kept open between two requests. It is closed without an answer.
    package var idleMilliseconds: Int64 = 75_000
    /// After the last response: how long the client has to close its side, so that it reads the response and not a reset.
    package var lingerMilliseconds: Int64 = 2_000
    /// How long running requests may continue after the server was asked to stop.
    package var shutdownMilliseconds: Int64 = 10_000
    /// After this time without a piece a stream gets its heartbeat (``StreamHead/heartbeat``).
    package var heartbeatMilliseconds: Int64 = 15_000
    package var sweepMilliseconds: Int64 = 1_000

    /// Responses of at least this size are compressed for clients that accept gzip.
    package var gzipBytesMin = 1_024
    /// The `Retry-After` value for a client that was refused for lack of room.
    package var retryAfterSeconds = 1

    package init() {}
}
