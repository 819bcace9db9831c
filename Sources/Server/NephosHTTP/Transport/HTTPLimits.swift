/// What one client, and all of them together, may cost the server. The defaults are those of docs/protocol.md.
///
/// Times are checked by a sweep over a loop's connections every ``sweepMilliseconds``, so each may be exceeded by that much.
package struct HTTPLimits: Sendable, Equatable {
    /// Body of one request. More is answered 413.
    package var bodyBytesMax = 16 << 20
    /// Names and values of a request's headers together. More is answered 431.
    package var headerBytesMax = 16 << 10
    /// Number of headers of a request. More is answered 431.
    package var headerCountMax = 100
    /// Path and query. More is answered 414.
    package var targetBytesMax = 8 << 10
    /// Request bodies and answers not yet taken by their sockets, of all connections together. More is answered 503.
    package var bufferedBytesMax = 256 << 20
    /// Answers up to this size are sent even then: an error in their place would hardly be smaller, and health and metrics
    /// are asked for above all when there is no room.
    package var smallAnswerBytesMax = 16 << 10
    /// What a client may leave untaken of a stream. More ends the stream.
    package var streamUnsentBytesMax = 256 << 10
    /// Open connections. One more is answered 503 and closed.
    package var connectionsMax = 20_000
    /// Of these, what one client may have: connections, and requests that a trusted proxy has sent for it. More are answered 503.
    package var clientConnectionsMax = 512
    /// Of ``bufferedBytesMax``, what one client may hold. More is answered 503.
    package var clientBufferedBytesMax = 64 << 20
    /// A body that is announced to be no longer than this is taken before anybody knows who sends it: a head may be as long.
    package var unrecognizedBodyBytesMax = 16 << 10

    /// From a request's first byte to the end of its headers; also from opening a connection to its first byte.
    package var headersMilliseconds: Int64 = 10_000
    /// From the end of the headers to the end of the body, if it is taken whole.
    package var bodyMilliseconds: Int64 = 30_000
    /// How slowly a body may arrive and an answer may be taken.
    package var bytesPerSecondMin = 1_024
    /// How long a body may take before its speed is looked at.
    package var speedGraceMilliseconds: Int64 = 5_000
    /// How long the socket may take nothing, or less than ``bytesPerSecondMin``, of an answer; of a stream, nothing.
    package var stalledWriteMilliseconds: Int64 = 30_000
    /// How long a client may send nothing, or less than ``bytesPerSecondMin``, of a body that is taken piece by piece
    /// (``BodyReader``). Only time in which the owner waits for it counts.
    package var stalledReadMilliseconds: Int64 = 30_000
    /// From a request's first byte until the socket has taken the last byte of its answer. A request that is parked
    /// or streamed is exempt (``Parking``, ``StreamWriter``), and a file while the client takes it (``FileAnswer``). Of a
    /// body that is taken piece by piece, each step of its owner may take as long (``BodyReader``).
    package var requestMilliseconds: Int64 = 30_000
    /// How long a connection may be kept open between two requests. It is closed without an answer.
    package var idleMilliseconds: Int64 = 75_000
    /// After the last answer: how long the client has to close its side, so that it reads the answer and no reset.
    package var lingerMilliseconds: Int64 = 2_000
    /// How long requests in flight may go on once the server was told to stop.
    package var shutdownMilliseconds: Int64 = 10_000
    /// After so long without a piece a stream gets its heartbeat (``StreamHead/heartbeat``).
    package var heartbeatMilliseconds: Int64 = 15_000
    package var sweepMilliseconds: Int64 = 1_000

    /// Answers at least this long are compressed for clients that accept gzip.
    package var gzipBytesMin = 1_024
    /// What a client that was turned away for lack of room is told to wait.
    package var retryAfterSeconds = 1

    package init() {}
}
