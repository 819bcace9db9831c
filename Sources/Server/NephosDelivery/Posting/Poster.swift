import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends POST requests, each with one deadline over all of it: resolving, connecting, sending, the answer's last byte.
struct Poster: Sendable {
    /// More of an answer's body is not read; its stream or connection is closed instead.
    static let answerBytesMax = 4_096
    /// How many connections may turn out to be closed before one request is given up.
    private static let staleConnectionsMax = 3

    let client: HTTPClient
    let timeout: Duration
    /// Returns after the time it is given, or when its task is cancelled.
    let wait: @Sendable (Duration) async -> Void

    /// - Throws: ``PostFailure`` when there was no answer. An answer is one as soon as its status came in.
    func post(url: String, headers: [(String, String)], body: [UInt8]) async throws(PostFailure) -> PostAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await inTime(request).get()
    }

    /// The client's own deadline ends with the answer's head, and a body can go on for ever. So a timer runs beside the
    /// whole exchange and cancels it.
    private func inTime(_ request: HTTPClientRequest) async -> Result<PostAnswer, PostFailure> {
        await withTaskGroup(of: Result<PostAnswer, PostFailure>?.self) { group in
            group.addTask { await self.attempt(request) }
            group.addTask {
                await self.wait(self.timeout)
                return nil
            }
            var isLate = false
            while let ended = await group.next() {
                group.cancelAll()
                guard let result = ended else {
                    isLate = !Task.isCancelled
                    continue
                }
                if case .failure(.cancelled) = result, isLate { return .failure(.noAnswer(within: timeout)) }
                return result
            }
            return .failure(.cancelled)
        }
    }

    /// A pool learns a moment late that a connection was closed. What it then sends into that never left this machine,
    /// and goes into the next connection at once.
    private func attempt(_ request: HTTPClientRequest) async -> Result<PostAnswer, PostFailure> {
        for _ in 1..<Self.staleConnectionsMax {
            let result = await exchange(request)
            guard case .failure(.staleConnection) = result else { return result }
        }
        return await exchange(request)
    }

    private func exchange(_ request: HTTPClientRequest) async -> Result<PostAnswer, PostFailure> {
        do {
            let response = try await client.execute(request, deadline: .now() + TimeAmount(timeout))
            let (body, isComplete) = await read(response.body)
            return .success(
                PostAnswer(
                    status: Int(response.status.code), isHTTP2: response.version.major == 2,
                    retryAfter: RetryAfter.parse(response.headers["retry-after"]), body: body, isComplete: isComplete))
        } catch {
            let failure = PostFailure(error, timeout: timeout)
            // The client calls cancelled, too, what it gave to a connection that was just being closed.
            return .failure(failure == .cancelled && !Task.isCancelled ? .staleConnection : failure)
        }
    }

    private func read(_ body: HTTPClientResponse.Body) async -> (bytes: [UInt8], isComplete: Bool) {
        var bytes: [UInt8] = []
        do {
            for try await part in body {
                bytes += part.readableBytesView.prefix(Self.answerBytesMax - bytes.count)
                if bytes.count == Self.answerBytesMax { break }
            }
            return (bytes, true)
        } catch {
            // The status is known, and often it says enough. Whoever needs the body looks at `isComplete`.
            return (bytes, false)
        }
    }
}
