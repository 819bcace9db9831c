import Foundation
import KitSupport
import NephosTransport

extension OFREPProvider {
    /// A stream is alive as long as anything arrives, including comments.
    private static let silenceSeconds = 120.0

    public func news(after values: FlagValues) -> AsyncThrowingStream<FlagNews, any Error>? {
        guard let stream = values.stream, ["http", "https"].contains(stream.scheme), stream.mayFollow(base) else {
            return nil
        }
        // One pending element represents everything that arrived in the meantime.
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do throws(FlagFault) {
                    try await follow(stream, continuation)
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(
        _ stream: URL, _ news: AsyncThrowingStream<FlagNews, any Error>.Continuation
    ) async throws(FlagFault) {
        var request = TransportRequest(method: "GET", url: stream)
        // Send tokens to this server only, not to any other that a response names.
        if stream.isAtServer(of: base) {
            // The stream only signals that something may have changed, so it needs neither a session nor facts.
            request.headers["Authorization"] = credentials.authorization
        }
        request.headers["Accept"] = "text/event-stream"
        request.waits = true
        request.timeout = Self.silenceSeconds
        let reader = Locked(NewsReader())
        request.sink = .pieces { piece in
            do throws(FlagFault) {
                for item in try reader.withTaken(piece) { news.yield(item) }
            } catch {
                // Ends the task, and the request with it.
                news.finish(throwing: error)
            }
        }
        let answer: TransportAnswer
        do throws(TransportFault) { answer = try await transport.send(request) } catch {
            throw FlagFault(KitFault(error))
        }
        guard answer.status == 200 else { throw FlagFault(KitFault(answer)) }
    }
}

/// Interprets the events of a stream.
private struct NewsReader {
    private var events = EventStream()
    private var hasBegun = false

    mutating func take(_ piece: Data) throws(FlagFault) -> [FlagNews] {
        guard let events = events.take(piece) else {
            throw FlagFault(.unreadable, "the stream sent an event that exceeds the limit")
        }
        var news = events.compactMap { event -> FlagNews? in
            guard case .object(let members) = FlagValue(json: event.data),
                members["type"]?.stringValue == "refetchEvaluation"
            else { return nil }
            return FlagNews(tag: members["etag"]?.stringValue)
        }
        // Changes between the response that named the stream and the start of the stream were not announced.
        if !hasBegun, news.isEmpty { news.append(FlagNews()) }
        hasBegun = true
        return news
    }
}

extension Locked<NewsReader> {
    fileprivate func withTaken(_ piece: Data) throws(FlagFault) -> [FlagNews] {
        let result = withLock { reader in Result { () throws(FlagFault) in try reader.take(piece) } }
        return try result.get()
    }
}

extension URL {
    /// Whether it has the same scheme, host and port.
    fileprivate func isAtServer(of other: URL) -> Bool {
        func port(_ url: URL) -> Int? { url.port ?? (url.scheme == "https" ? 443 : 80) }
        return scheme == other.scheme && host()?.lowercased() == other.host()?.lowercased()
            && port(self) == port(other)
    }
}
