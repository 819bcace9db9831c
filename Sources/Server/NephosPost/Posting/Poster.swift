import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends requests, each with one deadline for everything: resolving, connecting, sending, the response's last byte.
struct Poster: Sendable {
    /// A request to send.
    struct Message: Sendable {
        var method = "POST"
        let url: String
        let headers: [(String, String)]
        let body: [UInt8]
        /// The rest of a longer response body is not read; its stream or connection is closed instead.
        var answerBytesMax = 4_096

        init(url: String, headers: [(String, String)], body: [UInt8]) {
            (self.url, self.headers, self.body) = (url, headers, body)
        }
    }

    /// How many connections may turn out to be closed before a request is given up.
    private static let staleConnectionsMax = 3

    /// Provides a client, and again one for the next address of the host if one cannot be reached.
    ///
    /// - Parameter: How many addresses failed so far. Returns nil if there is no other.
    typealias Route = @Sendable (Int) async throws -> PinnedClients.Loan?

    let timeout: Duration
    /// Returns after the given time, or when its task is cancelled.
    let wait: @Sendable (Duration) async -> Void

    /// - Throws: ``PostFailure`` if there was no response. A response counts as soon as its status arrived.
    func send(_ message: Message, by route: @escaping Route) async throws(PostFailure) -> PostAnswer {
        var request = HTTPClientRequest(url: message.url)
        request.method = HTTPMethod(rawValue: message.method)
        for (name, value) in message.headers { request.headers.add(name: name, value: value) }
        if request.method == .POST || !message.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: message.body)) }
        return try await inTime(Exchange(request: request, bytesMax: message.answerBytesMax), route).get()
    }

    /// A message in the client's form.
    private struct Exchange: Sendable {
        let request: HTTPClientRequest
        let bytesMax: Int
    }

    /// The client's own deadline ends with the response's head, and a body can last forever. So a timer runs alongside the whole
    /// exchange and cancels it.
    private func inTime(_ exchange: Exchange, _ route: @escaping Route) async -> Result<PostAnswer, PostFailure> {
        await withTaskGroup(of: Result<PostAnswer, PostFailure>?.self) { group in
            group.addTask { await self.attempt(exchange, route) }
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

    private func attempt(_ exchange: Exchange, _ route: Route) async -> Result<PostAnswer, PostFailure> {
        var result: Result<PostAnswer, PostFailure> = .failure(.cannotConnect)
        do {
            for tried in 0... {
                guard let loan = try await route(tried) else { break }
                defer { loan.end() }
                result = await attempt(exchange, loan.client)
                guard case .failure(.cannotConnect) = result else { break }
            }
            return result
        } catch {
            return .failure(PostFailure(error, timeout: timeout))
        }
    }

    /// A pool learns with a delay that a connection was closed. A request that it then sends never left this machine, and is
    /// immediately sent over the next connection.
    private func attempt(_ exchange: Exchange, _ client: HTTPClient) async -> Result<PostAnswer, PostFailure> {
        for _ in 1..<Self.staleConnectionsMax {
            let result = await run(exchange, client)
            guard case .failure(.staleConnection) = result else { return result }
        }
        return await run(exchange, client)
    }

    private func run(_ exchange: Exchange, _ client: HTTPClient) async -> Result<PostAnswer, PostFailure> {
        do {
            let response = try await client.execute(exchange.request, deadline: .now() + TimeAmount(timeout))
            let (body, isComplete) = await read(response.body, atMost: exchange.bytesMax)
            return .success(
                PostAnswer(
                    status: Int(response.status.code), isHTTP2: response.version.major == 2,
                    retryAfter: RetryAfter.parse(response.headers["retry-after"]), headers: response.headers,
                    body: body,
                    isComplete: isComplete))
        } catch {
            let failure = PostFailure(error, timeout: timeout)
            // The client also reports `cancelled` for a request on a connection that was just being closed.
            return .failure(failure == .cancelled && !Task.isCancelled ? .staleConnection : failure)
        }
    }

    private func read(_ body: HTTPClientResponse.Body, atMost bytesMax: Int) async -> (bytes: [UInt8], isComplete: Bool)
    {
        var bytes: [UInt8] = []
        do {
            for try await part in body {
                bytes += part.readableBytesView.prefix(bytesMax - bytes.count)
                if bytes.count == bytesMax { break }
            }
            return (bytes, true)
        } catch {
            // The status is known, and often sufficient. Callers that need the body check `isComplete`.
            return (bytes, false)
        }
    }
}
