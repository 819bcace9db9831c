package import NephosRunner

/// One request and its answer, as logs and metrics may know them. There is no query in it and no header.
package struct Exchange: Sendable {
    package var id: RequestID
    /// The client's address; empty when it is not known.
    package var client: String
    /// Empty, as the path, when the request was refused before it could be read.
    package var method: String
    package var path: Substring
    package var status: Int
    /// ``RawResponse/endpoint``.
    package var endpoint: String
    /// From the request's first byte to the answer being given to the socket, with the time it was parked; of a stream, to its end.
    package var nanoseconds: Int64
    package var bytesIn: Int
    package var bytesOut: Int
}

/// Is told about every answer, about a stream when it has ended. Called on event loops, so it must be quick.
package protocol TransportObserver: Sendable {
    func answered(_ exchange: Exchange)
    /// `error` was answered as INTERNAL_ERROR under `id`; what it says stays in the log.
    func failed(_ error: any Error, id: RequestID)
}
