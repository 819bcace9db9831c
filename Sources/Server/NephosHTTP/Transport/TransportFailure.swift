import CloudKitWire
import NephosRunner

/// Why the transport answers a request itself, before or instead of its responder.
enum TransportFailure: Error, Equatable {
    case malformed
    case targetTooLong(bytesMax: Int)
    case headersTooLarge(bytesMax: Int, countMax: Int)
    case bodyTooLarge(bytesMax: Int)
    /// The body is compressed. A few bytes of such a body could become many, for a client that is not known yet.
    case bodyEncoded
    /// - Parameter ofClient: The limit of one client, if that was exceeded.
    case noRoom(bytesMax: Int, ofClient: Int? = nil, forAnswer: Bool = false)
    case tooManyConnections(Int)
    case tooManyOfClient(Int)
    case headersTooSlow(milliseconds: Int64)
    case bodyTooSlow(milliseconds: Int64, bytesPerSecond: Int)
    case bodyStalled(milliseconds: Int64, bytesPerSecond: Int)
    case tookTooLong(milliseconds: Int64)

    var status: Int {
        switch self {
        case .malformed: 400
        case .headersTooSlow, .bodyTooSlow, .bodyStalled: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .bodyEncoded: 415
        case .headersTooLarge: 431
        case .noRoom, .tooManyConnections, .tooManyOfClient, .tookTooLong: 503
        }
    }

    private var code: ServerErrorCode {
        switch self {
        case .malformed, .targetTooLong, .headersTooLarge, .bodyTooLarge, .bodyEncoded, .headersTooSlow, .bodyTooSlow,
            .bodyStalled:
            .badRequest
        case .noRoom, .tooManyConnections, .tooManyOfClient, .tookTooLong: .tryAgainLater
        }
    }

    private var reason: String {
        switch self {
        case .malformed: "The request is not valid HTTP/1.1."
        case .targetTooLong(let bytes): "The URL is longer than \(bytes) bytes."
        case .headersTooLarge(let bytes, let count): "The headers are more than \(bytes) bytes, or more than \(count)."
        case .bodyTooLarge(let bytes):
            // Uploads have some room for the boundaries of their parts, which nobody has to know.
            bytes < 1 << 20
                ? "The body is longer than \(bytes) bytes: send less in one request."
                : "The body is too long: at most \(bytes >> 20) MB can be sent in one request; send a smaller one."
        case .bodyEncoded: "The body is compressed: send it as it is, without Content-Encoding."
        case .noRoom(_, let ofClient, let isForAnswer):
            "The server is busy"
                + (ofClient.map { ", or holds \($0) bytes of requests and answers of this client" } ?? "")
                + ": try again after retryAfter seconds; "
                + (isForAnswer
                    ? "the request was carried out, so look before you repeat a save." : "nothing was carried out.")
        case .tooManyConnections(let count): "The server already has \(count) connections."
        case .tooManyOfClient(let count): "The server already has \(count) connections from this client."
        case .headersTooSlow(let time): "The headers did not arrive within \(time) ms."
        case .bodyTooSlow(let time, let speed):
            "The body did not arrive within \(time) ms, or arrived slower than \(speed) bytes a second."
        case .bodyStalled(let time, let speed):
            "The body arrived slower than \(speed) bytes a second for \(time) ms."
        case .tookTooLong(let time): "The request took longer than \(time) ms."
        }
    }

    /// The error dictionary as a response.
    ///
    /// - Parameter retryAfter: Seconds, sent only if a retry can help.
    func answer(id: RequestID, retryAfter: Int, endpoint: String = "transport") -> RawResponse {
        var answer = RawResponse(
            status, code, reason, id: id, retryAfter: status == 503 ? retryAfter : nil, endpoint: endpoint)
        if case .bodyEncoded = self { answer.headers.append(("Accept-Encoding", "identity")) }
        // What the client sends after this can no longer be parsed, or is unwanted.
        answer.closesConnection = true
        return answer
    }
}
