package import NephosRunner

/// One request and its response, for logs and metrics. Contains no query and no header.
package struct Exchange: Sendable {
    package var id: RequestID
    /// The client's address; empty if it is not known.
    package var client: String
    /// Empty, like the path, if the request was refused before it could be parsed.
    package var method: String
    package var path: Substring
    package var status: Int
    /// ``RawResponse/endpoint``.
    package var endpoint: String
    /// From the request's first byte to writing the response to the socket, including the time it was parked; for a stream, to its
    /// end.
    package var nanoseconds: Int64
    package var bytesIn: Int
    package var bytesOut: Int
}

/// Called for every response, and for a stream when it has ended. Called on event loops, so it must be quick.
package protocol TransportObserver: Sendable {
    func answered(_ exchange: Exchange)
    /// `error` was answered with INTERNAL_ERROR under `id`; its description stays in the log.
    func failed(_ error: any Error, id: RequestID)
}
